//! Files that cannot be read, invalid TOML, and cases.

use super::{Sentence, said};
use adjutant_pack::problem::{CaseProblem, FileProblem, NewToml, TomlProblem, TomlSlip};
use adjutant_pack::{BUNDLE_FORMAT, BundleError, LARGEST_BUNDLE, LARGEST_FILE, MOST_FILES};

pub(super) fn file(problem: &FileProblem) -> Sentence {
    let folder = "give the folder that holds pack.toml";
    match problem {
        FileProblem::FolderUnreadable { error } => {
            said(format!("the folder cannot be read: {error}"), folder)
        }
        FileProblem::NoPackToml => said("there is no pack.toml in it", folder),
        FileProblem::TooManyFiles => said(
            format!("a pack may hold at most {MOST_FILES} files"),
            "join the data in fewer files",
        ),
        FileProblem::TooLarge { size } => said(
            format!("it is {size} bytes long: a file of a pack may have at most {LARGEST_FILE}"),
            "split the data, or take out what is not rules",
        ),
        FileProblem::Missing { error } => {
            said(format!("it cannot be read: {error}"), "check the name and the permissions")
        }
        FileProblem::Unreadable { error } => {
            said(format!("it cannot be read: {error}"), "check the permissions")
        }
        FileProblem::NotPlain => {
            said("it is not a plain file", "a pack holds plain files only, no links or pipes")
        }
        FileProblem::Utf16 => {
            said("it is UTF-16, not UTF-8 text", "save the file as UTF-8 in your editor")
        }
        FileProblem::NotUtf8 { line } => said(
            format!("it is not UTF-8 text (line {line})"),
            "save the file as UTF-8 in your editor",
        ),
        FileProblem::NotCsv { error } => {
            said(format!("it cannot be read: {error}"), "save it as plain CSV in UTF-8")
        }
        FileProblem::Bundle(error) => bundle(error),
    }
}

/// Why a bundle is not read or made, and what to do.
pub fn bundle(error: &BundleError) -> Sentence {
    let again = "get the file again from where it comes from";
    let made = "it was not made by `adjutant pack bundle`: get it again";
    match error {
        BundleError::Unreadable { error } => {
            said(format!("it cannot be read: {error}"), "check the name and the permissions")
        }
        BundleError::NotAFile => {
            said("it is not a plain file", "a bundle is one file that ends with .adjutant")
        }
        BundleError::TooLarge { size } => said(
            format!("{size} bytes are too many: a bundle may have at most {LARGEST_BUNDLE}"),
            "take out what is not rules",
        ),
        BundleError::NotABundle => said("it is not a bundle of a pack", made),
        BundleError::Newer { format } => said(
            format!("it has format {format}, and this program reads {BUNDLE_FORMAT}"),
            "use a newer version of Adjutant",
        ),
        BundleError::Damaged => {
            said("it was changed after it was made: its checksum does not fit", again)
        }
        BundleError::NotCanonical => {
            said("it is not written as a bundle of these files is written", made)
        }
        BundleError::NotRead { detail } => said(format!("it cannot be read: {detail}"), made),
        BundleError::FileName { name } => said(
            format!("a file in it is called `{name}`"),
            "a pack holds pack.toml, cases.toml, README.md and CSV files, with plain names and no folders",
        ),
        BundleError::NamesClash { first, second } => said(
            format!("its files `{first}` and `{second}` have the same name on some systems"),
            "rename one of them",
        ),
        BundleError::TooManyFiles => file(&FileProblem::TooManyFiles),
        BundleError::FileTooLarge { name, size } => {
            let Sentence { message, help } = file(&FileProblem::TooLarge { size: *size as u64 });
            said(format!("{name}: {message}"), help)
        }
        BundleError::NoPackToml => said("there is no pack.toml in it", made),
        BundleError::OtherRules { written, found } => {
            said(format!("its rules have the fingerprint {found}, and it says {written}"), again)
        }
    }
}

pub(super) fn toml(problem: &TomlProblem) -> Sentence {
    let (detail, help) = match problem {
        TomlProblem::Syntax { detail } => (
            detail,
            "this is not valid TOML: look for a missing quotation mark, comma, bracket or equals sign at or before this place",
        ),
        TomlProblem::CurlyQuotes { detail } => {
            (detail, "write plain quotation marks \"…\", not the curly ones of a word processor")
        }
        TomlProblem::Slip { detail, slip } => (
            detail,
            match slip {
                TomlSlip::Minus => "write a plain hyphen for minus: -1",
                TomlSlip::DecimalComma => "write decimals with a point: 0.5, or as \"1/2\"",
                TomlSlip::QuotesInExpression => {
                    "an expression stands in double quotes, so write its words in single ones: \"ammo == 'ap'\""
                }
                TomlSlip::SlashComment => "a comment starts with #",
                TomlSlip::Colon => "write = after a key: title = \"…\"",
                TomlSlip::Letter => {
                    "a name has the letters a to z, digits and hyphens; any letter may stand in a title"
                }
            },
        ),
        TomlProblem::TooDeep { detail } => {
            (detail, "a pack need not be nested more than a few tables deep")
        }
        TomlProblem::NameTwice { detail } => {
            (detail, "this name stands twice: write each [section.name] and each key once")
        }
        TomlProblem::Newer { what } => return newer(*what),
    };
    said(format!("the file cannot be read here: {detail}"), help)
}

/// TOML 1.1 where other programs expect TOML 1.0.
fn newer(what: NewToml) -> Sentence {
    match what {
        NewToml::LineBreak => said(
            "a line break in an inline table is TOML 1.1: many editors and programs cannot read it",
            "write { … } on one line, or as a section: [a.b], or [[a.b]] for each item of a list",
        ),
        NewToml::LastComma => said(
            "a comma before } is TOML 1.1: many editors and programs cannot read it",
            "take the comma out",
        ),
        NewToml::Escape => said(
            "this escape is TOML 1.1: many editors and programs cannot read it",
            r"write \u and four digits, such as \u00e9, or the letter itself",
        ),
    }
}

pub(super) fn case(problem: &CaseProblem) -> Sentence {
    match problem {
        CaseProblem::NotGivable { name } => said(
            format!("`{name}` cannot be given like this"),
            "write a number, a text or true/false",
        ),
        CaseProblem::NotWholeNumbers { key } => {
            said(format!("`{key}` is not a list of whole numbers"), format!("write {key} = [7, 3]"))
        }
        CaseProblem::ExpectsNothing { case } => {
            said(format!("the case `{case}` expects nothing"), "add expect = { result = \"…\" }")
        }
        CaseProblem::GridWidth { row, cells, across } => said(
            format!("row `{row}` of the grid has {cells} cells, but {across} go across"),
            "give each row as many cells as there are values across",
        ),
        CaseProblem::GridRow { row } => said(
            format!("row `{row}` of the grid is not a list of results or numbers"),
            "write 1 = [\"miss\", \"hit\"]",
        ),
    }
}
