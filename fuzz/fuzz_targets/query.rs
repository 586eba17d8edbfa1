//! Any text as a query: it reads, its filters are in it, and reading takes linear time.
#![no_main]

use kioku::search::Query;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let now = kioku_fuzz::now();
    let query = Query::parse(text, &now);
    assert_eq!(query, Query::parse(text, &now), "read twice, and differently");
    let mut at = 0;
    for span in query.understood() {
        assert!(at <= span.start && span.start < span.end, "filters out of order");
        assert!(text.get(span.clone()).is_some(), "a filter ends inside a character");
        at = span.end;
    }
    assert!(query.plain.ends_with(query.matter()));
    for typing in [false, true] {
        assert!(query.keyword(typing).words.len() <= query.words.len());
        assert!(query.keyword_without_days(typing).words.len() <= query.words.len());
    }
    let mut filtered = query.clone();
    filtered.add_filter(text, &now);
    assert!(filtered.filters.len() >= query.filters.len());
    kioku_fuzz::linear(text.as_bytes(), |bytes| drop(Query::parse(&String::from_utf8_lossy(bytes), &now)));
});
