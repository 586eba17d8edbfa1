//! Templates for new entries: `templates/*.md` in the vault, and the built-in ones.
//!
//! A template is plain text with fields in braces, filled in from the time of the entry (which may be back-dated):
//!
//! | field | becomes |
//! |---|---|
//! | `{date}` `{weekday}` `{day}` `{month}` `{year}` | `2026-11-20`, `Friday`, `20`, `November`, `2026` |
//! | `{week}` | the ISO week, `47` |
//! | `{time}` | `15:30` |
//! | `{prompt}` | the question of the day |
//! | `{cursor}` | nothing: the initial cursor position; without it, the end |
//!
//! Other braces are text. Front matter at the top may set `mood:` and `tags:`. The questions are the lines of
//! `templates/prompts.txt`, if that file exists, or else built in.

use jiff::civil::{Date, DateTime, date};

use super::{
    Vault, VaultError, files,
    folders::{PROMPTS, TEMPLATES as FOLDER},
    head::{self, Line},
    value,
};

/// The built-in templates. A file of the same name overrides one.
const BUILT_IN: [(&str, &str); 3] = [
    ("day", include_str!("../../assets/templates/day.md")),
    ("evening", include_str!("../../assets/templates/evening.md")),
    ("week", include_str!("../../assets/templates/week.md")),
];
const BUILT_IN_PROMPTS: &str = include_str!("../../assets/templates/prompts.txt");

/// A parsed template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Template {
    /// The file name without `.md`.
    pub name: String,
    pub mood: Option<String>,
    pub tags: Vec<String>,
    text: String,
}

/// All templates, and the questions of the day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Templates {
    /// Sorted by name.
    pub all: Vec<Template>,
    prompts: Vec<String>,
}

/// A template with its fields filled in: the initial text of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    pub text: String,
    /// The initial cursor position, as a byte offset.
    pub cursor: usize,
}

impl Default for Templates {
    /// The built-in templates and questions.
    fn default() -> Self {
        let all = BUILT_IN.iter().map(|(name, text)| Template::read(name, text)).collect();
        Self { all, prompts: lines(BUILT_IN_PROMPTS) }
    }
}

impl Templates {
    /// Finds a template by name: an exact match, or else one that ignores case.
    pub fn named(&self, name: &str) -> Option<&Template> {
        let exact = self.all.iter().find(|template| template.name == name);
        exact.or_else(|| self.all.iter().find(|template| template.name.to_lowercase() == name.to_lowercase()))
    }

    /// The question of a day. Changes daily, and cycles through all questions.
    pub fn prompt(&self, day: Date) -> &str {
        let days = day.since(date(1970, 1, 1)).map_or(0, |span| i64::from(span.get_days()));
        let nth = days.rem_euclid(self.prompts.len().max(1) as i64);
        self.prompts.get(usize::try_from(nth).unwrap_or(0)).map_or("", String::as_str)
    }

    /// Fills in a template for an entry with this time.
    pub fn fill(&self, template: &Template, when: DateTime) -> Filled {
        let prompt = self.prompt(when.date());
        let mut filled = String::with_capacity(template.text.len() + 100);
        let mut cursor = None;
        let mut rest = template.text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            rest = after;
            let field =
                after.split_once('}').and_then(|(name, behind)| Some((value_of(name, when, prompt)?, name, behind)));
            let Some((value, name, behind)) = field else {
                filled.push('{');
                continue;
            };
            if name == "cursor" {
                cursor = cursor.or(Some(filled.len()));
            }
            filled.push_str(&value);
            rest = behind;
        }
        filled.push_str(rest);
        Filled { cursor: cursor.unwrap_or(filled.len()), text: filled }
    }
}

impl Template {
    fn read(name: &str, text: &str) -> Self {
        let mut template = Self { name: name.to_owned(), mood: None, tags: Vec::new(), text: String::new() };
        let key_and_raw = |line: &Line| {
            head::key_and_value(line.text(text.as_bytes()))?;
            text[line.start..line.end].split_once(':')
        };
        let mut body = 0;
        if let Some((_, lines, closing)) = head::fenced(text.as_bytes())
            // With a line without a key, this is text and not front matter.
            && let Some(front) = lines.iter().map(key_and_raw).collect::<Option<Vec<_>>>()
        {
            body = closing.next;
            for (key, raw) in front {
                match key {
                    "mood" => template.mood = Some(value::unquote(raw)).filter(|mood| !mood.is_empty()),
                    "tags" => template.tags = value::list(raw),
                    _ => {}
                }
            }
        }
        let text = &text[body..];
        // Files end with a line feed, entry bodies do not.
        text.strip_suffix('\n').unwrap_or(text).clone_into(&mut template.text);
        template
    }
}

impl Vault {
    /// The vault's templates and the built-in ones. The error for an unreadable file names it.
    pub fn templates(&self) -> Result<Templates, VaultError> {
        let mut templates = Templates::default();
        for name in self.listed_in(FOLDER)? {
            let Some(bytes) = files::read(&self.path_in(FOLDER, &name)?)? else { continue };
            let text = String::from_utf8_lossy(&bytes);
            if name == PROMPTS {
                let prompts = lines(&text);
                templates.prompts = if prompts.is_empty() { templates.prompts } else { prompts };
            } else if let Some(stem) = name.strip_suffix(".md").filter(|stem| !stem.starts_with('.')) {
                templates.all.retain(|known| known.name != stem);
                templates.all.push(Template::read(stem, &text));
            }
        }
        templates.all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(templates)
    }
}

/// The lines that are neither empty nor comments (`#`).
fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

fn value_of(field: &str, when: DateTime, prompt: &str) -> Option<String> {
    Some(match field {
        "date" => when.date().to_string(),
        "weekday" => when.strftime("%A").to_string(),
        "day" => when.day().to_string(),
        "month" => when.strftime("%B").to_string(),
        "year" => when.year().to_string(),
        "week" => when.date().iso_week_date().week().to_string(),
        "time" => when.strftime("%H:%M").to_string(),
        "prompt" => prompt.to_owned(),
        "cursor" => String::new(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use jiff::ToSpan as _;
    use proptest::prelude::*;

    use super::*;

    fn filled(text: &str) -> Filled {
        let templates = Templates { all: Vec::new(), prompts: vec!["Why {date}?".to_owned()] };
        templates.fill(&Template::read("x", text), date(2026, 11, 20).at(15, 5, 0, 0))
    }

    #[test]
    fn fields_say_the_time_of_the_entry() {
        let text = "{weekday} {day} {month} {year}, week {week}, {date} {time}: {prompt}\n{cursor}\nend\n";
        let made = filled(text);
        assert_eq!(made.text, "Friday 20 November 2026, week 47, 2026-11-20 15:05: Why {date}?\n\nend");
        assert_eq!(&made.text[made.cursor..], "\nend");
    }

    #[test]
    fn other_braces_are_text() {
        let made = filled("fn main() { {year} } {unknown} {");
        assert_eq!(made.text, "fn main() { 2026 } {unknown} {");
        assert_eq!(made.cursor, made.text.len());
    }

    #[test]
    fn a_head_gives_mood_and_tags_and_a_line_is_no_head() {
        let template = Template::read("x", "---\nmood: \"calm\"\ntags: [\"a\", b c]\nowner: me\n---\nText\n");
        assert_eq!(
            (template.mood.as_deref(), template.tags, template.text.as_str()),
            (Some("calm"), vec!["a".to_owned(), "b c".to_owned()], "Text")
        );
        for text in ["---\na rule above\n---\n", "---\nmood: calm\n"] {
            let template = Template::read("x", text);
            assert_eq!((template.mood, template.text.as_str()), (None, text.strip_suffix('\n').unwrap()));
        }
    }

    #[test]
    fn the_vaults_own_templates_come_beside_those_of_kioku_and_before_them() {
        let folder = tempfile::tempdir().unwrap();
        let vault = Vault::of_test(folder.path());
        assert_eq!(vault.templates().unwrap(), Templates::default());
        fs::create_dir(folder.path().join("templates")).unwrap();
        fs::write(folder.path().join("templates/Dream.md"), "I dreamt of ").unwrap();
        fs::write(folder.path().join("templates/evening.md"), "Mine: ").unwrap();
        fs::write(folder.path().join("templates/prompts.txt"), "# mine\nOne?\n\nTwo?\n").unwrap();
        let templates = vault.templates().unwrap();
        let names: Vec<&str> = templates.all.iter().map(|template| template.name.as_str()).collect();
        assert_eq!(names, ["Dream", "day", "evening", "week"]);
        assert_eq!(templates.named("dream").unwrap().text, "I dreamt of ");
        assert_eq!(templates.named("evening").unwrap().text, "Mine: ");
        let day = date(2026, 11, 20);
        let asked = [templates.prompt(day), templates.prompt(day + 1.day()), templates.prompt(day + 2.days())];
        assert!(asked[0] != asked[1] && asked[0] == asked[2], "{asked:?}");
    }

    #[test]
    fn a_folder_of_templates_alone_is_still_a_new_journal_of_kioku() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("templates")).unwrap();
        assert_eq!(Vault::of_test(folder.path()).entries_folder(), folder.path().join("memory"));
    }

    #[test]
    fn what_comes_with_kioku_has_a_place_to_begin_and_a_question_for_every_day() {
        let templates = Templates::default();
        for template in &templates.all {
            assert!(template.text.contains("{cursor}"), "{}", template.name);
            let made = templates.fill(template, date(2026, 11, 20).at(9, 0, 0, 0));
            assert!(!made.text.contains('{'), "{}", made.text);
        }
        let month: std::collections::BTreeSet<&str> =
            (0..30).map(|n| templates.prompt(date(2026, 11, 1) + n.days())).collect();
        assert_eq!(month.len(), 30);
        assert!(month.iter().all(|prompt| !prompt.is_empty()));
    }

    proptest! {
        #[test]
        fn any_file_is_a_template(text in "(---\n)?(mood: x\n|[{}a-z é]{0,8}\n|---\n|\\{(date|cursor|prompt)\\}){0,6}") {
            let made = filled(&text);
            prop_assert!(made.text.is_char_boundary(made.cursor));
        }
    }
}
