//! Tests of automatic merges.

use jiff::civil::date;
use proptest::prelude::*;

use super::*;
use crate::{extract::extract_text, journal::EntityNote};

fn store(texts: &[&str]) -> GraphStore {
    let (mut store, _) = GraphStore::open(std::path::Path::new("nowhere"), None);
    for (at, text) in texts.iter().enumerate() {
        let day = date(2026, 1, 1 + at as i8);
        store.set(EntryKey(at as u64), at as u64, day, extract_text(text, day));
    }
    store
}

/// `Anna Berg 3` for each person, by name.
fn people(view: &GraphView) -> Vec<String> {
    let people = view.entities().iter().filter(|entity| entity.kind == EntityKind::Person);
    let mut people: Vec<String> = people.map(|entity| format!("{} {}", entity.name, entity.mentions)).collect();
    people.sort();
    people
}

fn read(texts: &[&str]) -> Vec<String> {
    people(&store(texts).view())
}

#[test]
fn a_first_name_belongs_to_the_only_full_name_with_it() {
    let texts = ["I met Anna Berg at the library.", "Dinner with Anna, and a call from Anna."];
    assert_eq!(read(&texts), ["Anna Berg 3"]);
    let mut store = store(&texts);
    let view = store.view();
    let anna = view.by_name("anna");
    assert_eq!(anna, view.by_name("Anna Berg"), "she is found by both");
    assert_eq!(view.entries(anna[0]).len(), 2);
    assert!(view.entity(anna[0]).aliases.contains(&"Anna".to_owned()));
}

#[test]
fn who_may_be_two_stays_two() {
    let two = ["I met Anna Berg.", "I met Anna Lind.", "Dinner with Anna."];
    assert_eq!(read(&two), ["Anna 1", "Anna Berg 1", "Anna Lind 1"]);
    let often = ["Dinner with Anna.", "Met Anna and Anna.", "Anna called; with Anna.", "I met Anna Berg once."];
    assert!(read(&often).iter().any(|name| name.starts_with("Anna ") && !name.contains("Berg")), "{:?}", read(&often));
}

#[test]
fn who_is_marked_is_who_the_mark_says() {
    assert_eq!(read(&["I met Anna Berg.", "Dinner with @Anna.", "Anna called."]), ["Anna 2", "Anna Berg 1"]);
}

#[test]
fn a_given_name_in_vietnamese_stands_last() {
    assert_eq!(read(&["Gặp Nguyễn Văn Hùng ở quán.", "Ăn trưa với anh Hùng."]), ["Nguyễn Văn Hùng 2"]);
}

#[test]
fn the_words_for_a_parent_are_one_person() {
    let texts = ["Mom called.", "My mother was glad.", "Mom and Dad came.", "My father laughed, my mum too."];
    assert_eq!(read(&texts), ["Dad 2", "Mom 4"]);
    assert_eq!(read(&["My mum called.", "My mother-in-law called."]).len(), 2);
}

#[test]
fn what_a_note_speaks_of_is_the_users_to_join() {
    let mut store = store(&["I met Anna Berg.", "Dinner with Anna."]);
    let note = EntityNote { file: "Anna.md".to_owned(), name: "Anna".to_owned(), ..EntityNote::default() };
    assert!(store.curate(Curation::of(vec![note])));
    assert_eq!(people(&store.view()), ["Anna 1", "Anna Berg 1"]);
}

#[test]
fn a_seldom_form_of_a_given_name_is_the_frequent_one() {
    let often = "I met Douglas. With Douglas. Saw Douglas. I rang Douglas. We told Douglas.";
    assert_eq!(read(&[often, "Dinner with Doug."]), ["Douglas 6"]);
    assert_eq!(read(&["I met Dorothy.", "Dinner with Dot."]), ["Dorothy 1", "Dot 1"], "both as seldom: a proposal");
    assert_eq!(store(&["I met Dorothy.", "Dinner with Dot."]).view().proposals().len(), 1);
    assert_eq!(read(&[often, "Doug and Douglas came."]).len(), 2, "two people");
    assert_eq!(read(&[&often.replace("Douglas", "Caroline"), "Dinner with Carol."]).len(), 2, "a name of its own");
    let two = often.replace("Douglas", "Bernie");
    assert_eq!(read(&[&two, "I met Bernard.", "I met Bernadette."]).len(), 3, "either may be Bernie");
}

#[test]
fn a_title_does_not_make_another_person() {
    assert_eq!(read(&["I met Dona Lurdes.", "Dinner with Lurdes."]).len(), 1);
    assert_eq!(read(&["I met Dona Lurdes.", "I met Lurdes.", "I saw Maria Lurdes."]).len(), 3);
    let prentice = "Mr Prentlow came for tea.";
    assert_eq!(read(&[prentice, "The hedge was cut by Prentlow, as Prentlow does."]), ["Prentlow 3"]);
    assert_eq!(read(&[prentice, "Mrs Prentlow came.", "The hedge was cut by Prentlow."]).len(), 2, "either of two");
}

#[test]
fn a_name_with_accents_is_found_without_them() {
    let mut store = store(&["Hôm qua đi ăn với Thảo ở quán.", "hom qua thao nau mi cho ca phong roi"]);
    let view = store.view();
    let thao = view.by_name("Thảo");
    assert_eq!(view.entries(thao[0]).len(), 2);
    assert!(view.entity(thao[0]).aliases.contains(&"thao".to_owned()));
    let two = ["Gặp Thảo.", "Đi với Thạo và Thảo, gặp Thạo.", "hom qua thao nau mi cho ca phong roi"];
    assert!(read(&two).iter().all(|name| !name.starts_with("thao")), "{:?}", read(&two));
    let bare = "hom qua di choi voi Khoi, ve nha met qua roi";
    assert_eq!(read(&["Hôm qua đi ăn với Khôi.", bare]), ["Khôi 2"]);
    assert_eq!(read(&["Hôm qua gặp Thành ở quán.", "Hôm qua gặp Thanh ở quán."]).len(), 2);
}

#[test]
fn a_vietnamese_name_typed_in_a_hurry_is_the_only_one_with_these_letters() {
    let bao = "Hôm qua đi ăn với Bảo ở quán.";
    assert_eq!(read(&["Met Hien at the cafe.", "Hôm qua gặp Hiền. Đi với Hiền."]), ["Hiền 3"]);
    assert_eq!(read(&[bao, "I had lunch with Bao.", "Hôm nay với Bao đi chợ."]), ["Bảo 3"]);
    let three = [bao, "I had lunch with Bao.", "Hôm nay đi ăn với Bạo."];
    assert_eq!(read(&three), ["Bao 1", "Bạo 1", "Bảo 1"], "either of two");
    assert_eq!(read(&[bao, "I had lunch with Bao, and then Bảo and Bao left."]).len(), 2, "side by side");
    assert_eq!(read(&["Hôm nay đi ăn với Hòa.", "I had lunch with Hoa."]).len(), 2, "a name without accents");
    assert_eq!(read(&[bao, "I had lunch with @Bao."]).len(), 2, "marked");
}

#[test]
fn two_of_one_number_with_other_titles_are_two_persons() {
    let two = ["Sang nhà chú Năm ăn giỗ.", "Thím Năm gửi mắm, gọi cảm ơn thím Năm."];
    assert_eq!(read(&two), ["chú Năm 1", "thím Năm 2"]);
    assert_eq!(read(&[two[0], two[1], "Hôm nay đi ăn với Năm."]), ["chú Năm 1", "thím Năm 2"], "either may be Năm");
}

#[test]
fn a_name_with_an_apostrophe_is_one_however_it_is_typed() {
    let mut store = store(&["Went to Men's Shed today.", "At the Men’s Shed with Tom.", "Dinner with Una O’Brien."]);
    let view = store.view();
    for name in ["Men's Shed", "men’s shed", "mens shed"] {
        assert_eq!(view.by_name(name).iter().map(|at| view.entity(*at).mentions).collect::<Vec<_>>(), [2], "{name}");
    }
    assert_eq!(view.by_name("una o'brien").len(), 1);
}

proptest! {
    /// Any order of saves and edits gives the same result as a rebuild.
    #[test]
    fn the_order_of_saves_and_edits_does_not_matter(
        edits in prop::collection::vec((0usize..5, 0usize..14), 1..20),
    ) {
        const TEXTS: [&str; 14] = [
            "I met Anna Berg.", "Dinner with Anna.", "Anna Lind called.", "My mother and Anna came.", "Mom called.",
            "Lunch with Tom.", "Saw Tom Reed with my mum.", "Nothing happened.", "Gặp Thảo với Thạo.", "Đi ăn với Thảo.",
            "hom qua thao nau mi cho ca phong roi", "I met Thomas. With Thomas. Saw Thomas. Rang Thomas.",
            "Met Thao, then chú Năm.", "Gặp thím Năm và Năm.",
        ];
        let set = |store: &mut GraphStore, entry: usize, text: usize, state: usize| {
            let day = date(2026, 1, 1 + entry as i8);
            store.set(EntryKey(entry as u64), state as u64, day, extract_text(TEXTS[text], day));
        };
        let (mut edited, _) = GraphStore::open(std::path::Path::new("nowhere"), None);
        let mut last = std::collections::BTreeMap::new();
        for (state, (entry, text)) in edits.iter().enumerate() {
            set(&mut edited, *entry, *text, state);
            edited.view();
            last.insert(*entry, *text);
        }
        let (mut rebuilt, _) = GraphStore::open(std::path::Path::new("nowhere"), None);
        for (entry, text) in last.iter().rev() {
            set(&mut rebuilt, *entry, *text, 0);
        }
        let (edited, rebuilt) = (edited.view(), rebuilt.view());
        prop_assert_eq!(edited.entities(), rebuilt.entities());
    }
}
