use super::*;
use proptest::prelude::*;

fn words(text: &str) -> Vec<String> {
    tokens(text).into_iter().filter(|token| token.kind == Kind::Word).map(|token| token.folded).collect()
}

#[test]
fn accents_fold_whether_composed_or_not() {
    let composed = "Nguyễn Văn Đức đến Đà Nẵng";
    let decomposed: String = composed.nfd().collect();
    assert_ne!(composed, decomposed);
    assert_eq!(words(composed), ["nguyen", "van", "duc", "den", "da", "nang"]);
    assert_eq!(words(&decomposed), words(composed));
    let exact = |text: &str| tokens(text).into_iter().map(|token| token.exact).collect::<Vec<_>>();
    assert_eq!(exact(composed), exact(&decomposed));
}

#[test]
fn letters_without_a_decomposition_have_their_ascii_spelling() {
    assert_eq!(
        words("Straße Øresund Łódź İstanbul ısı Ærø œuvre"),
        ["strasse", "oresund", "lodz", "istanbul", "isi", "aero", "oeuvre"]
    );
    assert_eq!(words("Ёлка мой ΌΔΟΣ οδός"), ["елка", "мой", "οδοσ", "οδοσ"]);
    assert_eq!(words("ﬁne Ｆｕｌｌ ②"), ["fine", "full", "2"]);
}

#[test]
fn spans_point_into_the_original_text() {
    let text: String = "Gặp Hùng ở Huế, it's fine".nfd().collect();
    let of = |folded: &str| {
        let token = tokens(&text).into_iter().find(|token| token.folded == folded).expect("the word is there");
        text[token.span].nfc().collect::<String>()
    };
    assert_eq!(of("hung"), "Hùng");
    assert_eq!(of("hue"), "Huế");
    assert_eq!(of("it"), "it");
}

#[test]
fn apostrophes_cut_clitics_and_join_the_rest() {
    assert_eq!(words("it's Linh’s we'll don't I'm"), ["it", "linh", "we", "dont", "i"]);
    let all = |text| tokens(text).into_iter().map(|token| (token.folded, token.position)).collect::<Vec<_>>();
    assert_eq!(all("O'Brien left"), [("obrien".into(), 0), ("brien".into(), 0), ("left".into(), 1)]);
    assert_eq!(all("'quoted' rock'"), [("quoted".into(), 0), ("rock".into(), 1)]);
    let forms = "I'll I’ll we'll we’ll he'd can't can’t it's it’s she'll mother's mother’s won't we're I'd've";
    let plain = ["i", "i", "we", "we", "he", "cant", "cant", "it", "it", "she", "mother", "mother", "wont", "we", "i"];
    assert_eq!(words(forms), plain, "never `ill`, `well`, `wed`, `hed`, `shell`");
    assert_eq!(words("I‘ll I´ll I＇ll Iʼll"), ["i"; 4], "as other keyboards have it");
    assert_eq!(words("ill well wed shell id"), ["ill", "well", "wed", "shell", "id"]);
    assert_eq!(words("couldn't've y'all'd've"), ["couldnt", "yall"]);
    assert_eq!(all("o'clock"), [("oclock".into(), 0), ("clock".into(), 0)]);
    assert_eq!(words("‘quoted’ ngày mai’s em’"), ["quoted", "ngay", "mai", "em"]);
    assert_eq!(words("5:30pm well-being a_b"), ["5", "30pm", "well", "being", "a", "b"]);
}

#[test]
fn two_words_with_a_hyphen_are_also_one() {
    let joined = |text: &str| {
        let found = tokens(text).into_iter().filter(|token| token.kind == Kind::Joined);
        found.map(|token| (token.folded, text[token.span].to_owned(), token.position)).collect::<Vec<_>>()
    };
    let one = |folded: &str, written: &str, position| vec![(folded.to_owned(), written.to_owned(), position)];
    assert_eq!(joined("my co-worker left"), one("coworker", "co-worker", 2));
    assert_eq!(joined("the E‑Mail's end"), one("email", "E‑Mail", 2));
    for apart in
        ["well-to-do", "2-3", "5-a-side", "he left - then came", "left- then", "left -then", "a--b", "don't-care"]
    {
        assert_eq!(joined(apart), [], "{apart}");
    }
}

#[test]
fn unspaced_scripts_are_read_in_pairs() {
    let pairs = |text| {
        tokens(text).into_iter().filter(|token| token.kind == Kind::Pair).map(|token| token.folded).collect::<Vec<_>>()
    };
    assert!(pairs("元宝老婆刚怀孕").contains(&"怀孕".to_owned()));
    assert_eq!(pairs("東京タワー"), ["東京", "京タ", "タワ", "ワー"]);
    assert_eq!(pairs("서울에 갔다"), ["서울", "울에", "갔다"]);
    assert_eq!(pairs("ｶﾞｽ"), ["ガス"]);
    assert!(pairs("ไปเที่ยว").contains(&"ที่ย".to_owned()), "{:?}", pairs("ไปเที่ยว"));
    let positions: Vec<_> = tokens("我爱you 了").into_iter().map(|t| (t.folded, t.position)).collect();
    assert_eq!(
        positions,
        [("我".into(), 0), ("我爱".into(), 0), ("爱".into(), 1), ("you".into(), 2), ("了".into(), 3)]
    );
}

#[test]
fn pictures_are_words_and_invisible_marks_are_nothing() {
    let folded = |text| tokens(text).into_iter().map(|token| token.folded).collect::<Vec<_>>();
    assert_eq!(folded("party 🎉!"), ["party", "🎉"]);
    assert_eq!(folded("\u{feff}co\u{ad}operate"), ["cooperate"]);
    assert_eq!(folded("👍🏽"), ["👍"]);
}

#[test]
fn forms_that_no_ending_tells_have_one_stem() {
    for (written, asked) in
        [("bought", "buying"), ("went", "going"), ("children", "child"), ("thieves", "thief"), ("swum", "swims")]
    {
        assert_eq!(stem(written), stem(asked), "{written}, {asked}");
    }
    // These forms are more often another word.
    assert_ne!(stem("rose"), stem("rise"));
    assert_ne!(stem("leaves"), stem("leaf"));
}

#[test]
fn stems_are_for_ascii_words_only() {
    assert_eq!(stem("running"), "run");
    assert_eq!(stem("nguyễn"), "nguyễn");
    assert_eq!(stem("怀孕"), "怀孕");
    assert_eq!(fold("  Project\tX "), "project x");
}

proptest! {
    #[test]
    fn any_text_gives_spans_on_character_boundaries(text in "\\PC{0,40}|[a-z'’ \u{300}\u{323}đệ怀孕กี่\u{200d}🎉]{0,40}") {
        let mut last = 0;
        for token in tokens(&text) {
            prop_assert!(token.span.start < token.span.end);
            prop_assert!(text.get(token.span.clone()).is_some());
            prop_assert!(token.position >= last && !token.folded.is_empty());
            last = token.position;
        }
    }

    #[test]
    fn composed_and_decomposed_texts_have_the_same_words(text in "[a-zàáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ 'が한글]{0,30}") {
        let decomposed: String = text.nfd().collect();
        let of = |text: &str| tokens(text).into_iter().map(|t| (t.folded, t.exact, t.position)).collect::<Vec<_>>();
        prop_assert_eq!(of(&text), of(&decomposed));
    }
}
