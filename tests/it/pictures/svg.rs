//! SVG of a screen: one text element per run of cells of one style, lines and blocks as shapes, so that positions do
//! not depend on the font.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use ratatui::{
    buffer::{Buffer, CellWidth},
    style::{Color, Modifier},
};

/// Cell size in pixels.
const WIDTH: f32 = 8.4;
const HEIGHT: f32 = 19.0;
/// Distance of the baseline from the bottom of its cell.
const DESCENT: f32 = 5.5;
const MARGIN: f32 = 16.0;
const PAPER: &str = "#1b1d23";
const INK: &str = "#d4d7dd";
const FRAME: &str = "#4a4f5a";

/// A picture of the light theme, on paper.
pub fn on_paper(picture: &str) -> String {
    [(PAPER, "#ffffff"), (INK, "#24292f"), (FRAME, "#d0d7de")]
        .iter()
        .fold(picture.to_owned(), |picture, (dark, light)| picture.replace(dark, light))
}

/// Style of a run of cells.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Style {
    ink: String,
    paper: Option<String>,
    weights: Vec<&'static str>,
}

/// Cells of one style.
struct Run {
    column: u16,
    cells: u16,
    text: String,
    style: Style,
}

/// The SVG of a screen; `title` is its alternative text.
pub fn svg(buffer: &Buffer, title: &str) -> String {
    let area = buffer.area;
    let (width, height) =
        (f32::from(area.width) * WIDTH + 2.0 * MARGIN, f32::from(area.height) * HEIGHT + 2.0 * MARGIN);
    let (mut papers, mut shapes) = (String::new(), BTreeMap::<String, String>::new());
    let (mut texts, mut styles) = (Vec::new(), BTreeSet::new());
    for row in 0..area.height {
        for run in runs(buffer, row) {
            if let Some(paper) = &run.style.paper {
                let (x, y) = place(run.column, row);
                let wide = f32::from(run.cells) * WIDTH;
                writeln!(papers, r#"<rect x="{x:.1}" y="{y:.1}" width="{wide:.1}" height="{HEIGHT}" fill="{paper}"/>"#)
                    .unwrap();
            }
            for piece in pieces(&run) {
                match shape(&piece, row) {
                    Some(path) => shapes.entry(run.style.ink.clone()).or_default().push_str(&path),
                    None => {
                        styles.insert(Style { paper: None, ..piece.style.clone() });
                        texts.push((row, piece));
                    }
                }
            }
        }
    }
    let styles: Vec<Style> = styles.into_iter().collect();
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n<style>\ntext {{ font: 14px ui-monospace, \
         SFMono-Regular, Menlo, Consolas, \"DejaVu Sans Mono\", monospace; white-space: pre }}\n",
        escaped(title)
    );
    for (nth, style) in styles.iter().enumerate() {
        writeln!(picture, ".s{nth} {{ fill: {}{} }}", style.ink, style.weights.concat()).unwrap();
    }
    writeln!(
        picture,
        "</style>\n<rect x=\".5\" y=\".5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"9\" fill=\"{PAPER}\" stroke=\"{FRAME}\"/>",
        width - 1.0,
        height - 1.0
    )
    .unwrap();
    picture.push_str(&papers);
    for (ink, path) in shapes {
        writeln!(picture, r#"<path fill="{ink}" shape-rendering="crispEdges" d="{path}"/>"#).unwrap();
    }
    for (row, run) in texts {
        let (x, y) = place(run.column, row);
        let style = styles.iter().position(|style| style.ink == run.style.ink && style.weights == run.style.weights);
        let style = style.expect("every text's style was collected");
        let (wide, base) = (f32::from(run.cells) * WIDTH, y + HEIGHT - DESCENT);
        writeln!(
            picture,
            r#"<text class="s{style}" x="{x:.1}" y="{base:.1}" textLength="{wide:.1}">{}</text>"#,
            escaped(&run.text)
        )
        .unwrap();
    }
    picture + "</svg>\n"
}

fn place(column: u16, row: u16) -> (f32, f32) {
    (MARGIN + f32::from(column) * WIDTH, MARGIN + f32::from(row) * HEIGHT)
}

fn runs(buffer: &Buffer, row: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut column = 0;
    while column < buffer.area.width {
        let cell = &buffer[(column, row)];
        let cells = cell.symbol().cell_width().max(1);
        let style = style(cell.fg, cell.bg, cell.modifier);
        match runs.last_mut().filter(|run| run.style == style) {
            Some(run) => {
                run.text.push_str(cell.symbol());
                run.cells += cells;
            }
            None => runs.push(Run { column, cells, text: cell.symbol().to_owned(), style }),
        }
        column += cells;
    }
    runs
}

/// Splits a run into words, and single lines and blocks. Two spaces separate pieces.
fn pieces(run: &Run) -> Vec<Run> {
    let mut pieces: Vec<Run> = Vec::new();
    let (mut column, mut blanks, mut is_open) = (run.column, 0, false);
    for symbol in run.text.chars() {
        let text = symbol.to_string();
        let cells = text.as_str().cell_width();
        if symbol == ' ' {
            (column, blanks) = (column + 1, blanks + 1);
            continue;
        }
        let is_shape = drawn(symbol).is_some();
        match pieces.last_mut().filter(|_| is_open && !is_shape && blanks < 2) {
            Some(piece) => {
                piece.text.extend(std::iter::repeat_n(' ', usize::from(blanks)));
                piece.text.push(symbol);
                piece.cells += blanks + cells;
            }
            None => pieces.push(Run { column, cells, text, style: run.style.clone() }),
        }
        (column, blanks, is_open) = (column + cells, 0, !is_shape);
    }
    pieces
}

fn style(ink: Color, paper: Color, modifier: Modifier) -> Style {
    let (mut ink, mut paper) = (hex(ink), hex(paper));
    if modifier.contains(Modifier::REVERSED) {
        (ink, paper) = (paper.or(Some(PAPER.to_owned())), ink.or(Some(INK.to_owned())));
    }
    let weights = [
        (Modifier::BOLD, "; font-weight: bold"),
        (Modifier::ITALIC, "; font-style: italic"),
        (Modifier::UNDERLINED, "; text-decoration: underline"),
        (Modifier::CROSSED_OUT, "; text-decoration: line-through"),
        (Modifier::DIM, "; opacity: .6"),
    ];
    let weights = weights.into_iter().filter(|(weight, _)| modifier.contains(*weight)).map(|(_, css)| css).collect();
    Style { ink: ink.unwrap_or_else(|| INK.to_owned()), paper, weights }
}

/// A colour in CSS syntax; `None` for the terminal's default.
fn hex(colour: Color) -> Option<String> {
    let (r, g, b) = match colour {
        Color::Rgb(r, g, b) => (r, g, b),
        Color::Indexed(nth @ 16..=231) => {
            let level = |nth: u8| if nth == 0 { 0 } else { 55 + nth * 40 };
            (level((nth - 16) / 36), level((nth - 16) / 6 % 6), level((nth - 16) % 6))
        }
        Color::Indexed(nth @ 232..) => (8 + (nth - 232) * 10, 8 + (nth - 232) * 10, 8 + (nth - 232) * 10),
        _ => return None,
    };
    Some(format!("#{r:02x}{g:02x}{b:02x}"))
}

/// A part of a cell, in fractions: left, top, width, height.
type Part = [f32; 4];

/// The shape of a line or a block.
fn drawn(symbol: char) -> Option<Vec<Part>> {
    let thin = (0.5 - 0.06, 0.12);
    let (across, down) = ([0.0, 0.5 - 0.025, 1.0, 0.05], [thin.0, 0.0, thin.1, 1.0]);
    let right = [0.5, across[1], 0.5, across[3]];
    let left = [0.0, across[1], 0.5, across[3]];
    let upper = [thin.0, 0.0, thin.1, 0.5];
    let lower = [thin.0, 0.5, thin.1, 0.5];
    Some(match symbol {
        '─' => vec![across],
        '│' => vec![down],
        '├' => vec![down, right],
        '└' => vec![upper, right],
        '┌' => vec![lower, right],
        '┐' => vec![lower, left],
        '┘' => vec![upper, left],
        '▌' => vec![[0.0, 0.0, 0.4, 1.0]],
        '▁'..='█' => {
            let eighths = (symbol as u32 - '▁' as u32 + 1) as f32 / 8.0;
            // A row of bars never touches the row above.
            vec![[0.0, 1.0 - eighths * 0.86, 1.0, eighths * 0.86]]
        }
        '▉' | '▊' | '▋' | '▍' | '▎' | '▏' => {
            let eighths = 8.0 - (symbol as u32 - '█' as u32) as f32;
            vec![[0.0, 0.14, eighths / 8.0, 0.86]]
        }
        '░' | '▒' | '▓' => {
            let (side, gap) = match symbol {
                '░' => (0.3, 0.35),
                '▒' => (0.55, 0.22),
                _ => (0.8, 0.1),
            };
            vec![[gap, 0.5 - side * 0.36, side, side * 0.72]]
        }
        _ => return None,
    })
}

fn shape(piece: &Run, row: u16) -> Option<String> {
    let mut symbols = piece.text.chars();
    let (Some(symbol), None) = (symbols.next(), symbols.next()) else { return None };
    let (x, y) = place(piece.column, row);
    let path = drawn(symbol)?.into_iter().map(|[left, top, wide, high]| {
        let (wide, high) = (wide * WIDTH, high * HEIGHT);
        format!("M{:.1} {:.1}h{wide:.1}v{high:.1}h-{wide:.1}z", x + left * WIDTH, y + top * HEIGHT)
    });
    Some(path.collect())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
