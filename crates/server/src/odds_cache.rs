//! Odds cache, keyed by the request as it was sent. Packs do not change while the server runs, so a
//! response stays valid. The size is limited (`Limits`): there are two generations, and when the
//! newer is full the older is dropped.

use crate::live_table::lock;
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::Mutex;

/// A longer question is not remembered.
const LONGEST: usize = 4096;
/// What an entry costs besides its texts.
const EACH: usize = 160;

#[derive(Default)]
struct Half {
    answers: HashMap<Bytes, Bytes>,
    size: usize,
}

/// Answers by the question as it was sent.
pub(crate) struct OddsCache {
    most: usize,
    halves: Mutex<(Half, Half)>,
}

impl OddsCache {
    /// Remembers at most so many bytes.
    pub fn new(most: usize) -> OddsCache {
        OddsCache { most, halves: Mutex::default() }
    }

    /// The answer to a question that was asked before.
    pub fn answer(&self, question: &Bytes) -> Option<Bytes> {
        let mut halves = lock(&self.halves);
        if let Some(answer) = halves.0.answers.get(question) {
            return Some(answer.clone());
        }
        let (question, answer) = halves.1.answers.remove_entry(question)?;
        halves.1.size = halves.1.size.saturating_sub(size(&question, &answer));
        self.put(&mut halves, question, answer.clone());
        Some(answer)
    }

    /// Remembers an answer.
    pub fn remember(&self, question: &Bytes, answer: &Bytes) {
        if question.len() <= LONGEST && size(question, answer) <= self.most / 8 {
            // A question as it came holds on to the whole buffer that it was read into.
            self.put(&mut lock(&self.halves), Bytes::copy_from_slice(question), answer.clone());
        }
    }

    fn put(&self, (newer, older): &mut (Half, Half), question: Bytes, answer: Bytes) {
        let size = size(&question, &answer);
        if newer.size + size > self.most / 2 {
            *older = std::mem::take(newer);
        }
        if newer.answers.insert(question, answer).is_none() {
            newer.size += size;
        }
    }
}

fn size(question: &Bytes, answer: &Bytes) -> usize {
    question.len() + answer.len() + EACH
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: String) -> Bytes {
        Bytes::from(text)
    }

    #[test]
    fn an_answer_is_remembered_until_there_is_no_room() {
        let asked = OddsCache::new(100 * (EACH + 20));
        let question = |n: usize| bytes(format!("question {n:3}"));
        for n in 0..1000 {
            asked.remember(&question(n), &bytes(format!("{n:8}")));
            // What is asked for again and again stays.
            assert_eq!(asked.answer(&question(0)), Some(bytes(format!("{:8}", 0))));
            let halves = lock(&asked.halves);
            let weighed = |half: &Half| {
                half.answers.iter().map(|(question, answer)| size(question, answer)).sum::<usize>()
            };
            assert_eq!((halves.0.size, halves.1.size), (weighed(&halves.0), weighed(&halves.1)));
            assert!(halves.0.size + halves.1.size <= asked.most);
        }
        assert_eq!(asked.answer(&question(999)), Some(bytes(format!("{:8}", 999))));
        assert_eq!(asked.answer(&question(500)), None);
    }

    #[test]
    fn what_is_too_long_is_not_remembered() {
        let asked = OddsCache::new(10_000);
        let (long, short) = (bytes("x".repeat(LONGEST + 1)), bytes("short".to_owned()));
        asked.remember(&long, &short);
        asked.remember(&short, &long);
        assert_eq!((asked.answer(&long), asked.answer(&short)), (None, None));
    }
}
