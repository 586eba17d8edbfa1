//! Export as a book: one HTML page by year, month and day, with an index of names. It needs no other file and loads
//! nothing: images are part of it, up to [`LARGEST_IMAGE`] each and [`LARGEST_BOOK`] in all; larger ones are named.

use std::{
    cell::Cell,
    io::{self, Write},
    ops::Range,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use super::{BookParts, Exporter, IndexedName, markdown};
use crate::{
    journal::{Entry, as_written, attachment_path},
    sanitize::html as escaped,
};

/// Maximum size of an image in the page, in bytes: about that of a phone's photo.
const LARGEST_IMAGE: u64 = 4 << 20;
/// Maximum size of all images in the page, in bytes: browsers open a page of this size in seconds.
pub(super) const LARGEST_BOOK: u64 = 100 << 20;

/// Images that browsers show, by their file extensions.
const MEDIA_TYPES: [(&str, &str); 8] = [
    ("png", "png"),
    ("jpg", "jpeg"),
    ("jpeg", "jpeg"),
    ("gif", "gif"),
    ("webp", "webp"),
    ("avif", "avif"),
    ("bmp", "bmp"),
    ("svg", "svg+xml"),
];

pub(super) const EXPORTER: Exporter = Exporter {
    book: Some(book),
    ..Exporter::new("html", "a book: one HTML page by year, with an index of names; prints well", |entries, out| {
        book(entries, &BookParts { names: &[], image: &|_, _| None }, out)
    })
};

pub(super) const STYLE: &str = "body{font:1.05em/1.6 Georgia,serif;max-width:42em;margin:0 auto;padding:2em 1em;color:#222;background:#fff}\
h1,h2,h3,nav{font-family:system-ui,sans-serif;line-height:1.25}h1{text-align:center;margin:3em 0}\
h2{margin-top:3em;border-bottom:1px solid #999}article{margin:2em 0}article header{font:.85em system-ui,sans-serif;color:#555}\
a{color:inherit}nav a{margin-right:.6em}blockquote{border-left:3px solid #bbb;margin-left:0;padding-left:1em}\
img{max-width:100%;height:auto}pre{white-space:pre-wrap;overflow-wrap:anywhere}.names{columns:2;font-size:.9em;list-style:none;padding:0}.names li{break-inside:avoid}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}article header{color:#aaa}}\
@media print{body{max-width:none;padding:0;color:#000;background:#fff}nav{display:none}.year,.index{break-before:page}\
h2,h3,article header{break-after:avoid}a{text-decoration:none}}";

fn book(entries: &[Entry], parts: &BookParts<'_>, out: &mut dyn Write) -> io::Result<()> {
    let names = parts.names;
    let room = Cell::new(LARGEST_BOOK);
    let image = |target: &str| embedded(target, parts, &room);
    let title = title(entries);
    // The policy lets a browser load nothing.
    writeln!(
        out,
        "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>"
    )?;
    write!(out, "<nav>")?;
    for (year, _) in years(entries) {
        write!(out, "<a href=\"#y{year}\">{year}</a>")?;
    }
    writeln!(out, "{}</nav>", if names.is_empty() { "" } else { "<a href=\"#names\">Names</a>" })?;
    for (year, places) in years(entries) {
        chapter(year, places, entries, &image, out)?;
    }
    index(entries, names, &|_| String::new(), out)?;
    writeln!(out, "</body>\n</html>")
}

pub(super) fn title(entries: &[Entry]) -> String {
    match (entries.first(), entries.last()) {
        (Some(first), Some(last)) if first.day.year() == last.day.year() => format!("Journal {}", first.day.year()),
        (Some(first), Some(last)) => format!("Journal {}\u{2013}{}", first.day.year(), last.day.year()),
        _ => "Journal".to_owned(),
    }
}

/// The years with entries, and the positions of their entries.
pub(super) fn years(entries: &[Entry]) -> impl Iterator<Item = (i16, Range<usize>)> {
    entries.chunk_by(|one, next| one.day.year() == next.day.year()).scan(0, |at, year| {
        let start = std::mem::replace(at, *at + year.len());
        Some((year[0].day.year(), start..*at))
    })
}

/// The entries of a year by day.
pub(super) fn chapter(
    year: i16,
    places: Range<usize>,
    entries: &[Entry],
    image: &dyn Fn(&str) -> Option<String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "<section class=\"year\" id=\"y{year}\">\n<h2>{year}</h2>")?;
    let mut day = None;
    for (place, entry) in places.clone().zip(&entries[places]) {
        if day.replace(entry.day) != Some(entry.day) {
            writeln!(out, "<h3>{}</h3>", entry.day.strftime("%A %-d %B %Y"))?;
        }
        article(place, entry, image, out)?;
    }
    writeln!(out, "</section>")
}

/// The image of a link as a data address, if it fits into the page.
pub(super) fn embedded(target: &str, parts: &BookParts<'_>, room: &Cell<u64>) -> Option<String> {
    let path = attachment_path(target)?;
    let (_, extension) = path.rsplit_once('.')?;
    let (_, media_type) = MEDIA_TYPES.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known))?;
    let bytes = (parts.image)(&path, LARGEST_IMAGE.min(room.get()))?;
    room.set(room.get().saturating_sub(bytes.len() as u64));
    Some(format!("data:image/{media_type};base64,{}", STANDARD.encode(bytes)))
}

fn article(place: usize, entry: &Entry, image: &dyn Fn(&str) -> Option<String>, out: &mut dyn Write) -> io::Result<()> {
    let mut head = vec![markdown::clock(entry)];
    head.extend(entry.mood.as_deref().map(escaped));
    head.extend(entry.tags.iter().map(|tag| format!("#{}", escaped(tag))));
    head.extend(markdown::details(entry).map(|detail| escaped(&detail)));
    writeln!(out, "<article id=\"e{place}\">\n<header>{}</header>", head.join(" · "))?;
    let mut body = String::new();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let events = Parser::new_ext(&entry.body, options).into_offset_iter().map(as_written(&entry.body));
    html::push_html(&mut body, events.map(|(event, _)| event).flat_map(harmless(image)));
    writeln!(out, "{body}</article>")
}

/// HTML in an entry is text, an image is part of the page or named, a link leads only to the web, by mail or to an
/// attachment.
fn harmless<'e>(
    image: &dyn Fn(&str) -> Option<String>,
) -> impl FnMut(Event<'e>) -> std::iter::Flatten<std::array::IntoIter<Option<Event<'e>>, 2>> {
    // Of each open image, its name if it is not shown.
    let mut open: Vec<Option<String>> = Vec::new();
    move |event| {
        let (first, second) = match event {
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let data = image(&dest_url);
                open.push(data.is_none().then(|| dest_url.to_string()));
                match data {
                    Some(data) => (Event::Start(Tag::Image { link_type, dest_url: data.into(), title, id }), None),
                    None => (Event::Start(Tag::Emphasis), None),
                }
            }
            Event::End(TagEnd::Image) => match open.pop().flatten() {
                None => (Event::End(TagEnd::Image), None),
                Some(name) => {
                    let name = attachment_path(&name).map(|path| Event::Text(format!(" [{path}]").into()));
                    (Event::End(TagEnd::Emphasis), name)
                }
            },
            event => (plain(event), None),
        };
        [Some(first), second].into_iter().flatten()
    }
}

fn plain(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let is_safe = ["https://", "http://", "mailto:"].iter().any(|scheme| dest_url.starts_with(scheme));
            let dest_url = match attachment_path(&dest_url) {
                _ if is_safe => dest_url,
                Some(path) => path.into(),
                None => CowStr::Borrowed("#"),
            };
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
            level: level.max(pulldown_cmark::HeadingLevel::H4),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        }),
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(level.max(pulldown_cmark::HeadingLevel::H4))),
        // As typed: a line break in a journal is one.
        Event::SoftBreak => Event::HardBreak,
        event => event,
    }
}

/// The index of names. `page` is the page of the entry at a position, empty for this one.
pub(super) fn index(
    entries: &[Entry],
    names: &[IndexedName],
    page: &dyn Fn(usize) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"index\" id=\"names\">\n<h2>Names</h2>\n<ul class=\"names\">")?;
    for (name, places) in names {
        let links: Vec<String> = places
            .iter()
            .filter_map(|place| Some(format!("<a href=\"{}#e{place}\">{}</a>", page(*place), entries.get(*place)?.day)))
            .collect();
        writeln!(out, "<li>{}: {}</li>", escaped(name), links.join(", "))?;
    }
    writeln!(out, "</ul>\n</section>")
}
