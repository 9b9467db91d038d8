//! Decks in a state: how many cards of each block are left.
//!
//! A block is a set of cards that a run has had no reason to tell apart. A card that leaves its block
//! is any of its cards with equal chance, so nothing but the number left must be known. Where two
//! cards of a block would lead a run to different places while the deck is still drawn from, the
//! block is split and the odds are worked out from the start: the blocks end as large as the chart
//! allows.

use adjutant_dice::{Deck, Number};
use adjutant_pack::{CardCell, DeckId, DeckSheet, FieldId, Id, IdVec, Pack};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// For each deck the cards left; none for a deck that nothing reads later.
pub(super) type Left = Vec<Option<Cards>>;

/// The cards left in a deck, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Cards {
    /// The number left in each block.
    left: Vec<u32>,
    /// Sets of blocks, as bits, and how many further cards were drawn from each set without telling
    /// its blocks apart. Two sets are disjoint, or one contains the other.
    hidden: Vec<(u64, u32)>,
}

/// The most blocks that a set can have.
const MOST_IN_SET: usize = 64;

impl Cards {
    pub fn is_empty(&self) -> bool {
        let hidden: u32 = self.hidden.iter().map(|(_, count)| count).sum();
        self.left.iter().sum::<u32>() <= hidden
    }

    /// The weight of each block for the next draw.
    pub fn weights(&self) -> Vec<BigUint> {
        let sets: Vec<(u64, u32, u32)> = self
            .hidden
            .iter()
            .map(|(set, count)| {
                let inside = |(other, _): &&(u64, u32)| other & !set == 0 && other != set;
                let within: u32 = self.hidden.iter().filter(inside).map(|(_, count)| count).sum();
                let all: u32 =
                    (0..self.left.len()).filter(|b| set >> b & 1 == 1).map(|b| self.left[b]).sum();
                let open = all.saturating_sub(within);
                (*set, open.saturating_sub(*count), open)
            })
            .collect();
        let weight = |(block, left): (usize, &u32)| {
            sets.iter().fold(BigUint::from(*left), |weight, (set, free, open)| {
                let of_set = block < MOST_IN_SET && set >> block & 1 == 1;
                weight * if of_set { *free } else { *open }
            })
        };
        self.left.iter().enumerate().map(weight).collect()
    }

    /// The sets that blocks which are not told apart are drawn from, so that each fits those known.
    pub fn pieces(&self, blocks: &[usize]) -> Vec<Vec<usize>> {
        if blocks.iter().any(|block| *block >= MOST_IN_SET) {
            return blocks.iter().map(|block| vec![*block]).collect();
        }
        let set = bits(blocks);
        let crosses = |other: u64| other & set != 0 && other & !set != 0 && set & !other != 0;
        let crossing: Vec<u64> =
            self.hidden.iter().map(|(other, _)| *other).filter(|other| crosses(*other)).collect();
        let mut pieces: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
        for block in blocks {
            let sign = crossing.iter().map(|other| other >> block & 1 == 1).collect();
            pieces.entry(sign).or_default().push(*block);
        }
        pieces.into_values().collect()
    }

    /// Without one card of some blocks.
    pub fn without(&self, blocks: &[usize]) -> Cards {
        let mut cards = self.clone();
        if let [block] = blocks {
            cards.left[*block] -= 1;
            return cards;
        }
        let set = bits(blocks);
        match cards.hidden.iter_mut().find(|(known, _)| *known == set) {
            Some((_, count)) => *count += 1,
            None => {
                cards.hidden.push((set, 1));
                adjutant_dice::sort(&mut cards.hidden);
            }
        }
        cards
    }
}

fn bits(blocks: &[usize]) -> u64 {
    blocks.iter().fold(0, |set, block| set | 1 << block)
}

/// The blocks of every deck.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// The block of each card, in card order.
    of: IdVec<DeckId, Vec<u32>>,
    /// The number of cards in each block.
    sizes: IdVec<DeckId, Vec<u32>>,
}

/// Cards of one block that a draw cannot tell apart.
pub(super) struct CardClass {
    pub block: usize,
    /// Their numbers.
    pub cards: Vec<u32>,
}

/// What a draw can see of a card.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Seen {
    pub deck: DeckId,
    /// The field that is read, in which row, and whether its number matters.
    pub read: Option<(FieldId, Option<Number>, bool)>,
    pub fields: Vec<FieldId>,
    pub number: bool,
}

impl Blocks {
    /// The cards that are left now, and those that are gone.
    pub fn new(decks: &IdVec<DeckId, Deck>) -> Blocks {
        let of = |deck: &Deck| {
            let mut blocks = vec![1; deck.size() as usize];
            deck.cards().for_each(|card| blocks[card as usize - 1] = 0);
            blocks
        };
        let of: IdVec<DeckId, Vec<u32>> = decks.iter().map(of).collect();
        let sizes = of.iter().map(|blocks| sizes(blocks)).collect();
        Blocks { of, sizes }
    }

    pub fn full(&self, deck: DeckId) -> Cards {
        Cards { left: self.sizes[deck].clone(), hidden: Vec::new() }
    }

    /// How many cards of each block are in a deck.
    pub fn left(&self, deck: DeckId, cards: &Deck) -> Cards {
        let mut left = vec![0; self.sizes[deck].len()];
        cards.cards().for_each(|card| left[self.of[deck][card as usize - 1] as usize] += 1);
        Cards { left, hidden: Vec::new() }
    }

    pub fn size(&self, deck: DeckId, block: usize) -> u32 {
        self.sizes[deck][block]
    }

    /// Some deck with so many cards left, with a given card among them.
    pub fn some_deck(&self, deck: DeckId, cards: &Cards, card: Option<u32>) -> Deck {
        let mut missing: Vec<u32> =
            self.sizes[deck].iter().zip(&cards.left).map(|(size, left)| size - left).collect();
        let mut hidden: u32 = cards.hidden.iter().map(|(_, count)| count).sum();
        let mut gone = Vec::new();
        for (number, block) in (1..).zip(&self.of[deck]) {
            let missing = &mut missing[*block as usize];
            if Some(number) == card {
                continue;
            } else if *missing > 0 {
                *missing -= 1;
            } else if hidden > 0 {
                hidden -= 1;
            } else {
                continue;
            }
            gone.push(number);
        }
        let size = self.of[deck].len() as u32;
        Deck::without(size, gone).unwrap_or_else(|_| Deck::full(size))
    }

    /// The classes of cards in the order of their blocks.
    pub fn classes(&self, pack: &Pack, seen: &Seen) -> Vec<CardClass> {
        let sheet = &pack.decks()[seen.deck];
        let mut found: Vec<(CardClass, Vec<Option<&CardCell>>)> = Vec::new();
        for (number, block) in (1..).zip(&self.of[seen.deck]) {
            let block = *block as usize;
            let sign = sign(sheet, number, seen);
            let known = found
                .iter_mut()
                .find(|(class, known)| class.block == block && *known == sign && !seen.number);
            match known {
                Some((class, _)) => class.cards.push(number),
                None => found.push((CardClass { block, cards: vec![number] }, sign)),
            }
        }
        found.into_iter().map(|(class, _)| class).collect()
    }

    /// Splits a block: the cards of each group go into a block of their own.
    pub fn split(&mut self, deck: DeckId, groups: &[Vec<u32>]) {
        for group in groups.iter().skip(1) {
            let fresh = self.sizes[deck].len() as u32;
            for card in group {
                self.of[deck][*card as usize - 1] = fresh;
            }
            self.sizes[deck] = sizes(&self.of[deck]);
        }
    }
}

fn sign<'p>(sheet: &'p DeckSheet, number: u32, seen: &Seen) -> Vec<Option<&'p CardCell>> {
    let mut sign: Vec<Option<&CardCell>> =
        seen.fields.iter().map(|field| sheet.cell(number, *field, None)).collect();
    if let Some((field, by, matters)) = &seen.read {
        let cell = sheet.cell(number, *field, *by);
        let is_number =
            |cell: &&CardCell| matches!(cell, CardCell::Value(adjutant_pack::Value::Number(_)));
        sign.push(match matters {
            true => cell,
            // Any number stands for all.
            false if cell.as_ref().is_some_and(is_number) => Some(&ANY_NUMBER),
            false => None,
        });
    }
    sign
}

static ANY_NUMBER: CardCell = CardCell::Value(adjutant_pack::Value::YesNo(true));

fn sizes(blocks: &[u32]) -> Vec<u32> {
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    blocks.iter().for_each(|block| *counts.entry(*block).or_default() += 1);
    let most = counts.keys().max().map_or(0, |most| *most + 1);
    (0..most).map(|block| counts.get(&block).copied().unwrap_or(0)).collect()
}

/// Takes the cards left out of what is kept, for every deck that is not read later.
pub(super) fn forget_decks(left: &mut Left, live: &[bool]) {
    for (left, live) in left.iter_mut().zip(live) {
        if !live {
            *left = None;
        }
    }
}

pub(super) fn deck_at(deck: DeckId) -> usize {
    deck.index()
}
