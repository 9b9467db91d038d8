//! A chart, rolled.

use crate::Work;
use crate::error::{InvalidInput, QueryError};
use crate::given::{read_answers, refuse_answers, situation};
use crate::idle::{Asked, refuse_idle};
use adjutant_api::{Answers, ChartQuery};
use adjutant_dice::{InputSource, MixedInput};
use adjutant_engine::{Resolution, resolve};
use adjutant_pack::Pack;

/// Rolls a chart, with the caller's dice and cards where they are given.
pub fn roll(pack: &Pack, query: &ChartQuery, work: &Work) -> Result<Resolution, QueryError> {
    refuse_idle(query, Asked::Roll)?;
    let (mut situation, inputs) = situation(pack, query)?;
    let mut wrong: Vec<InvalidInput> =
        inputs.into_iter().map(|(_, error)| InvalidInput::Input(error)).collect();
    let faces = match faces(query.dice.as_ref(), !pack.dice().is_empty()) {
        Ok(faces) => faces,
        Err(more) => {
            wrong.extend(more);
            None
        }
    };
    if !wrong.is_empty() {
        wrong.extend(read_answers(&situation, query.all_answers()).err().into_iter().flatten());
        return Err(QueryError::Invalid(wrong));
    }
    // With typed dice and cards the run itself tells which questions come up.
    let typed = query.dice.is_some() || query.cards.is_some();
    refuse_answers(&situation, query.all_answers(), typed)?;
    let luck = work.luck(query.seed).map_err(QueryError::NoLuck)?;
    let mut source = MixedInput::new(luck).with_defaults();
    if let Some(faces) = faces {
        source = source.with_faces(faces);
    }
    if let Some(cards) = &query.cards {
        source = source.with_cards(cards.iter().copied());
    }
    for (key, text) in query.all_answers() {
        source = source.with_answer(key, text);
    }
    let mut resolution = resolve(&mut situation, &mut source)?;
    resolution.ruled_out = situation.ruled_out();
    source.finish().map_err(QueryError::Unused)?;
    Ok(resolution)
}

/// Faces as players write them: numbers, counts such as `6x3`, and names if dice have any.
fn faces(given: Option<&Answers>, named: bool) -> Result<Option<Vec<&str>>, Vec<InvalidInput>> {
    let Some(Answers(texts)) = given else { return Ok(None) };
    let number = |text: &str| text.trim().parse::<u32>().is_ok();
    let counted = |text: &str| {
        text.rsplit_once(['x', 'X']).is_some_and(|(face, count)| number(face) && number(count))
    };
    let wrong: Vec<InvalidInput> = texts
        .iter()
        .filter(|text| !(named || number(text) || counted(text)))
        .map(|text| InvalidInput::Face(adjutant_pack::clip_to(text.trim(), 20).to_string()))
        .collect();
    if wrong.is_empty() {
        Ok(Some(texts.iter().map(|text| text.trim()).collect()))
    } else {
        Err(wrong)
    }
}
