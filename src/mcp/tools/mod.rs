//! The tools, by what they are about. Names and parameters of the first eight are those of Kioku, the ancestor.

mod entries;
mod graph;
mod insight;
mod names;
mod records;
mod save;
mod search;

use super::{
    journal::Journal,
    limits,
    tool::{Access, Row, Tool, json},
};

/// Every tool, in the order of the list that a client sees.
pub const TOOLS: &[Row] = &[
    Row::of::<save::SaveMemory>(),
    Row::of::<search::SearchMemories>(),
    Row::of::<entries::GetTimeline>(),
    Row::of::<entries::ListMemoryDates>(),
    Row::of::<names::ListEntities>(),
    Row::of::<names::RecallRelated>(),
    Row::of::<names::ExplainConnection>(),
    Row::of::<entries::GetEntry>(),
    Row::of::<insight::FindWhy>(),
    Row::of::<insight::Reflect>(),
    Row::of::<insight::Review>(),
    Row::of::<graph::QueryGraph>(),
    Row::of::<records::Records>(),
    Row::of::<records::Remember>(),
    Row::of::<records::CloseRecord>(),
    Row::of::<entries::EditMemory>(),
    Row::of::<entries::DeleteMemory>(),
    Row::of::<entries::ForgetMemory>(),
    Row::of::<names::MergeEntities>(),
];
