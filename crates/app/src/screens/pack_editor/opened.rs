//! What the draft starts from: an installed pack, a new one, or a bundle that the author opened. A
//! newer version of a pack is compared here with the one in use before it is taken.

use super::{LARGEST, MOST_FILES, State};
use crate::app::Shared;
use crate::message::Command;
use adjutant_pack::{Bundle, Files};
use adjutant_wording::en::diagnostic;
use adjutant_wording::en::page::{pack_editor as text, packs};

/// What takes the place of the draft, if the author says so.
#[derive(Debug)]
pub(super) enum Replacement {
    /// An installed pack; a new one if it is empty.
    Pack(String),
    Bundle(Box<Files>),
}

impl State {
    /// Starts from something else. A draft that the author has changed is replaced only if the
    /// author says so.
    pub(super) fn replace(&mut self, shared: &mut Shared, by: Replacement) -> Vec<Command> {
        if self.draft.files.is_empty() || self.pattern {
            return self.start(shared, by);
        }
        self.doubt = Some(by);
        Vec::new()
    }

    pub(super) fn start(&mut self, shared: &mut Shared, from: Replacement) -> Vec<Command> {
        match from {
            Replacement::Pack(id) => self.lay(shared, &id),
            Replacement::Bundle(files) => {
                let pack = adjutant_pack::read_pack(&files, None);
                let id = pack.map(|pack| pack.id().to_string()).unwrap_or_default();
                self.lay_files(&files, &id);
            }
        }
        self.show(Some("pack.toml"));
        let mut todo = self.check(shared);
        todo.push(self.keep(shared));
        todo
    }

    /// Opens the files of a bundle.
    pub(super) fn open_bundle(
        &mut self,
        shared: &mut Shared,
        name: &str,
        value: &str,
    ) -> Vec<Command> {
        let files = match Bundle::read(value) {
            Ok(bundle) => bundle.into_parts().0,
            Err(why) => {
                let diagnostic::Sentence { message, help } = diagnostic::bundle(&why);
                return self.refuse(packs::refused(name, &message, &help));
            }
        };
        let large = files.names().find_map(|name| {
            let size = files.text(name).map_or(0, str::len);
            (size > LARGEST).then(|| text::too_large(name, size, LARGEST))
        });
        let many = (files.names().count() > MOST_FILES).then(|| text::too_many(MOST_FILES));
        match large.or(many) {
            Some(why) => self.refuse(why),
            None => self.replace(shared, Replacement::Bundle(Box::new(files))),
        }
    }

    fn refuse(&mut self, why: String) -> Vec<Command> {
        self.refused = Some(why.clone());
        vec![Command::Reject { sentence: why, focus: None }]
    }
}
