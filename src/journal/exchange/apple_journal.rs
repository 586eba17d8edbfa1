//! Import of the export of Apple's Journal: `Entries/*.html`, one page per entry, in a folder or a zip of it.
//!
//! Apple does not document the pages. What is read is what their class names say: date, title, prompt, text, state of
//! mind, contacts, places, photos and recordings. The date is in the language of the phone: one that is not English is taken from the name
//! of the file. An entry has no time: it is kept at noon with `undated: true`.

use jiff::civil::Date;

use super::{
    ExchangeError, Files, ImportOptions, Imported, Importer, LossKind, Record, Source, Spot, html, made_id, wall_time,
};
use crate::journal::english_month;

pub(super) const IMPORTER: Importer = Importer {
    name: "apple-journal",
    about: "the export of Apple's Journal (AppleJournalEntries): its folder, a zip of it, or one page",
    read,
};

/// Whether a name is that of an entry in the export.
pub(super) fn is_entry(name: &str) -> bool {
    let is_page = |name: &str| !name.contains('/') && name.ends_with(".html");
    name.rsplit_once("Entries/").is_some_and(|(_, page)| is_page(page))
}

/// Whether a page is an entry of Apple's Journal.
pub(super) fn is_page(text: &str) -> bool {
    text.contains("pageHeader") && text.contains("bodyText")
}

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let files = source.files()?;
    let one = files.names.len() == 1;
    let pages: Vec<&String> = files.names.iter().filter(|name| one || is_entry(name)).collect();
    if pages.is_empty() {
        return Err(source.without("pages in Entries/"));
    }
    for name in pages {
        page(&files, name, options, &mut imported)?;
    }
    Ok(imported)
}

fn page(files: &Files<'_>, name: &str, options: &ImportOptions, imported: &mut Imported) -> Result<(), ExchangeError> {
    let (path, text) = (files.path(name), files.text(name, imported)?);
    let at = Spot { path: &path, line: 1 };
    let Some((above, body)) = split_at_class(&text, "bodyText").filter(|_| is_page(&text)) else {
        imported.lose(LossKind::Skipped, &path, 1, "no page of Apple's Journal");
        return Ok(());
    };
    let body = body.split("</body>").next().unwrap_or_default();
    let header = element(above, "pageHeader");
    let date = header.as_deref().and_then(english_date);
    let day = date.or_else(|| name.rsplit('/').next()?.get(..10)?.parse().ok());
    if date.is_none() && day.is_some() {
        imported.lose(LossKind::Doubtful, &path, 1, "the date of the page is not English; that of its name is used");
    }
    let prompt = element(above, "reflectionPrompt").map(|prompt| format!("> {prompt}\n\n")).unwrap_or_default();
    let body = format!("{prompt}{}", html(&format!("<div>{body}</div>")).trim());
    let title = element(above, "title").unwrap_or_default();
    let mut attached = Vec::new();
    let (mut mood, mut extra) = (None, Vec::new());
    for item in above.split("gridItem assetType_").skip(1) {
        let kind = item.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let label = ["gridItemOverlayHeader", "gridItemOverlayFooter"].iter().find_map(|class| element(item, class));
        match (kind, label) {
            ("stateOfMind", Some(label)) => {
                mood = mood.or_else(|| label.split(',').next().map(|mood| mood.trim().to_owned()));
                extra.push(("state_of_mind", label));
            }
            ("contact", Some(label)) => extra.push(("with", label)),
            ("multiPinMap" | "genericMap", Some(label)) => extra.push(("location", label)),
            _ => match resource(item) {
                Some(file) => attached.push(file),
                None => imported.count_not_kept(kind),
            },
        }
    }
    let written = day.map(|day| day.to_string()).unwrap_or_default();
    let id = made_id("apple-journal", &[&written, &title, &body]);
    let body = imported.attach_below(body, files, attached.iter().copied(), at);
    let record = Record {
        id,
        time: day.and_then(|day| wall_time(day.at(12, 0, 0, 0), &options.zone)),
        title: &title,
        text: &body,
        mood,
        is_undated: true,
        extra,
        ..Record::default()
    };
    imported.add(record, at);
    Ok(())
}

/// The file in `Resources/` that an item of the grid shows.
fn resource(item: &str) -> Option<&str> {
    item.split_once("Resources/")?.1.split(['"', '\'']).next()
}

/// The page before and after the start of the first element with a class.
fn split_at_class<'t>(page: &'t str, class: &str) -> Option<(&'t str, &'t str)> {
    let mut from = 0;
    while let Some(found) = page[from..].find(class) {
        let (start, end) = (from + found, from + found + class.len());
        from = end;
        let is_word = |c: Option<char>| c.is_some_and(|c| matches!(c, '"' | '\'' | ' '));
        let tag = page[..start].rfind('<').filter(|tag| page[*tag..start].contains("class="));
        if let Some(tag) = tag
            && !page[tag..start].contains('>')
            && is_word(page[..start].chars().next_back())
            && is_word(page[end..].chars().next())
        {
            return Some((&page[..tag], &page[end + page[end..].find('>')? + 1..]));
        }
    }
    None
}

/// The text of the first element with a class, in one line.
fn element(page: &str, class: &str) -> Option<String> {
    let (_, inner) = split_at_class(page, class)?;
    let inner = &inner[..inner.find("</div>")?];
    let text = html(&format!("<div>{inner}</div>")).replace('\\', "");
    Some(text.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
}

/// `Sunday, 3 November 2024` or `Sunday, November 3, 2024`.
fn english_date(header: &str) -> Option<Date> {
    let words = || header.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let month = words().find_map(|word| english_month(&word.to_lowercase()))?;
    let number = |length: std::ops::RangeInclusive<usize>| {
        words().filter(move |word| length.contains(&word.len())).find_map(|word| word.parse::<i16>().ok())
    };
    Date::new(number(4..=4)?, month, i8::try_from(number(1..=2)?).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_of_a_page_is_read_in_either_order() {
        let day = Some(jiff::civil::date(2024, 11, 3));
        for header in ["Sunday, 3 November 2024", "Sunday, November 3, 2024", "Sunday 3 november 2024"] {
            assert_eq!(english_date(header), day, "{header}");
        }
        for header in ["dimanche 3 novembre 2024", "3 2024", "", "November 2024", "Sunday, 31 February 2024"] {
            assert_eq!(english_date(header), None, "{header}");
        }
    }

    #[test]
    fn an_element_is_found_by_its_class_and_not_by_its_text() {
        let page = "<p>title</p><div id='x' class=\"a title\">One &amp; <b>two</b></div><div class='subtitle'>no</div>";
        assert_eq!(element(page, "title").as_deref(), Some("One & **two**"));
        assert_eq!(element("<div class='subtitle'>no</div>", "title"), None);
        assert_eq!(element("<div class='title'>not closed", "title"), None);
    }
}
