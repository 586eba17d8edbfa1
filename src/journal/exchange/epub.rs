//! Export as an EPUB 3: the book of [`super::book`] with one page per year and an index of names, for e-readers.

use std::{
    cell::Cell,
    io::{self, Cursor, Write},
};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{BookParts, Exporter, book};
use crate::journal::{BodyHash, Entry};

pub(super) const EXPORTER: Exporter = Exporter {
    book: Some(epub),
    ..Exporter::new("epub", "a book for e-readers (EPUB 3), by year, with an index of names", |entries, out| {
        epub(entries, &BookParts { names: &[], image: &|_, _| None }, out)
    })
};

/// Formats of images that browsers show and e-readers need not.
const NOT_SHOWN: [&str; 2] = [".avif", ".bmp"];

const CONTAINER: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>\
<rootfile full-path=\"book.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>
";

fn epub(entries: &[Entry], parts: &BookParts<'_>, out: &mut dyn Write) -> io::Result<()> {
    let room = Cell::new(book::LARGEST_BOOK);
    let is_shown = |target: &str| !NOT_SHOWN.iter().any(|ending| target.to_lowercase().ends_with(ending));
    let image = |target: &str| book::embedded(target, parts, &room).filter(|_| is_shown(target));
    let title = book::title(entries);
    // Name, label and body of each page.
    let mut pages: Vec<(String, String, Vec<u8>)> = Vec::new();
    for (year, places) in book::years(entries) {
        let mut body = Vec::new();
        book::chapter(year, places, entries, &image, &mut body)?;
        pages.push((page_of(year), year.to_string(), body));
    }
    if !parts.names.is_empty() {
        let mut body = Vec::new();
        let page = |place: usize| entries.get(place).map(|entry| page_of(entry.day.year())).unwrap_or_default();
        book::index(entries, parts.names, &page, &mut body)?;
        pages.push(("names.xhtml".to_owned(), "Names".to_owned(), body));
    }
    let (mut items, mut spine, mut contents) = (String::new(), String::new(), String::new());
    for (nth, (name, label, _)) in pages.iter().enumerate() {
        items += &format!("<item id=\"p{nth}\" href=\"{name}\" media-type=\"application/xhtml+xml\"/>");
        spine += &format!("<itemref idref=\"p{nth}\"/>");
        contents += &format!("<li><a href=\"{name}\">{label}</a></li>");
    }
    // The same entries make the same book: its name is a digest, its date the last day.
    let name = BodyHash::of(entries.iter().flat_map(|entry| entry.hash.0).collect::<Vec<u8>>().as_slice());
    let last = entries.last().map(|entry| entry.day).unwrap_or_default();
    let package = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"id\">\n\
         <metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:identifier id=\"id\">urn:kioku:{name}</dc:identifier>\
         <dc:title>{title}</dc:title><dc:language>und</dc:language>\
         <meta property=\"dcterms:modified\">{last}T00:00:00Z</meta></metadata>\n\
         <manifest><item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>\
         <item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>{items}</manifest>\n\
         <spine>{spine}</spine></package>\n"
    );
    let nav = format!("<nav epub:type=\"toc\"><h1>{title}</h1><ol>{contents}</ol></nav>");

    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut add = |name: &str, options: SimpleFileOptions, bytes: &[u8]| {
        archive.start_file(name, options)?;
        archive.write_all(bytes)
    };
    let deflated = SimpleFileOptions::default();
    // The first file, uncompressed: by it a reader knows the format.
    add("mimetype", stored, b"application/epub+zip")?;
    add("META-INF/container.xml", deflated, CONTAINER.as_bytes())?;
    add("book.opf", deflated, package.as_bytes())?;
    add("style.css", deflated, book::STYLE.as_bytes())?;
    add("nav.xhtml", deflated, page(&title, nav.as_bytes()).as_bytes())?;
    for (name, label, body) in &pages {
        add(name, deflated, page(label, body).as_bytes())?;
    }
    out.write_all(&archive.finish()?.into_inner())
}

fn page_of(year: i16) -> String {
    format!("y{year}.xhtml")
}

/// An XHTML page, without the control characters that XML does not allow.
fn page(title: &str, body: &[u8]) -> String {
    let allowed = |c: &char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    let body: String = String::from_utf8_lossy(body).chars().filter(allowed).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE html>\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\"><head><title>{title}</title>\
         <link rel=\"stylesheet\" type=\"text/css\" href=\"style.css\"/></head>\n<body>\n{body}</body></html>\n"
    )
}
