//! Widgets that are independent of panes: they take text and state, and draw.

pub mod blocks;
pub mod calendar;
pub mod cells;
pub mod columns;
pub mod completion;
pub mod day_list;
pub mod editor;
pub mod input;
pub mod linked;
pub mod list;
pub mod markdown;
pub mod menu;
pub mod notice;
pub mod popup;
pub mod prompt_line;
pub mod reader;
pub mod spots;
pub mod styled;
pub mod wrap;
pub mod year_map;
