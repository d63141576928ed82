use super::*;
use crate::json::{self, JsonBuilder};
use proptest::prelude::*;

fn render(template: &str, variables: &str) -> Result<String> {
    let variables = json::parse(variables).unwrap();
    Template::parse(template)?.render(variables.as_object().unwrap())
}

#[test]
fn variables_are_replaced_and_escapes_undone() {
    let variables = r#"{"inputs":"1 + 1","outputs":"{inputs} }} {","a b":"é😀"}"#;
    let cases = [
        ("", ""),
        ("no variable", "no variable"),
        ("{inputs} = {outputs}.", "1 + 1 = {inputs} }} {."),
        ("{{inputs}} is {inputs}", "{inputs} is 1 + 1"),
        ("{{{inputs}}}", "{1 + 1}"),
        ("{a b}{{}}", "é😀{}"),
        ("é😀{inputs}\n", "é😀1 + 1\n"),
    ];
    for (template, expected) in cases {
        assert_eq!(render(template, variables).unwrap(), expected, "{template}");
    }
}

#[test]
fn braces_without_a_partner_are_refused_with_their_place() {
    let cases = [
        ("{", "line 1, column 1: \"{\" is never closed"),
        ("a }", "line 1, column 3: \"}\" closes nothing"),
        ("{inputs}}", "line 1, column 9: \"}\" closes nothing"),
        ("😀\né {inputs", "line 2, column 3: \"{\" is never closed"),
        ("{{{", "line 1, column 3: \"{\" is never closed"),
    ];
    for (template, expected) in cases {
        let error = Template::parse(template).unwrap_err();
        assert_eq!(error.code, Code::InvalidConfig);
        assert!(error.message.contains(expected), "{}", error.message);
    }
}

#[test]
fn a_missing_variable_is_named_with_those_given() {
    let error = render("{inputs} {context}", r#"{"inputs":"","outputs":"x"}"#).unwrap_err();
    assert_eq!(error.code, Code::MissingVariable);
    assert_eq!(
        error.message,
        "The prompt has the variable {context}, which was not passed (passed: inputs, outputs). Pass it when you call the evaluator: evaluator({ outputs, context: … }). Or rename the variable in the prompt to one that is passed."
    );
    let message = |template| render(template, "{}").unwrap_err().message.clone();
    assert!(
        message("{outputs}")
            .ends_with("(passed: nothing). Pass it when you call the evaluator: evaluator({ outputs: … }).")
    );
    assert!(message("{reference_outputs}").ends_with("evaluator({ outputs, referenceOutputs: … })."));
    assert!(message("{referenceOutputs}").contains("called {reference_outputs}"));
    for braces in [r#"{"score": true}"#, "{}", "{ inputs }", "{1}"] {
        assert!(message(braces).contains("write {{ and }}"), "{}", message(braces));
    }
}

#[test]
fn optional_blocks_stay_with_their_variables_and_vanish_without() {
    let with = r#"{"x":"X","y":"Y"}"#;
    let without = r#"{"x":"X"}"#;
    let cases = [
        // Tags on separate lines, with and without blank lines around the block.
        ("a\n\n<r optional>\n{y}\n</r>\n\nb", "a\n\n<r>\nY\n</r>\n\nb", "a\n\nb"),
        ("a\n<r optional>\n{y}\n</r>\n\nb", "a\n<r>\nY\n</r>\n\nb", "a\n\nb"),
        ("a\n\n<r optional>\n{y}\n</r>\nb", "a\n\n<r>\nY\n</r>\nb", "a\n\nb"),
        ("a\n<r optional>{y}</r>\nb", "a\n<r>Y</r>\nb", "a\nb"),
        ("a\n  <r optional>\n  {y}\n  </r> \n  b", "a\n  <r>\n  Y\n  </r> \n  b", "a\n  b"),
        ("a\r\n<r optional>\r\n{y}\r\n</r>\r\nb", "a\r\n<r>\r\nY\r\n</r>\r\nb", "a\r\nb"),
        // At the start and end of the template.
        ("<r optional>\n{y}\n</r>\n\nb", "<r>\nY\n</r>\n\nb", "b"),
        ("a\n\n<r optional>\n{y}\n</r>\n", "a\n\n<r>\nY\n</r>\n", "a\n"),
        ("a\n\n<r optional>\n{y}\n</r>", "a\n\n<r>\nY\n</r>", "a\n"),
        ("<r optional>{y}</r>", "<r>Y</r>", ""),
        // Adjacent blocks.
        (
            "{x}\n\n<r optional>{y}</r>\n\n<s optional>{y}</s>\n\nb",
            "X\n\n<r>Y</r>\n\n<s>Y</s>\n\nb",
            "X\n\nb",
        ),
        ("<r optional>{y}</r>\n\n<s optional>{x}</s>\n\nb", "<r>Y</r>\n\n<s>X</s>\n\nb", "<s>X</s>\n\nb"),
        // Within a line.
        ("a <r optional>{y}</r>, b", "a <r>Y</r>, b", "a , b"),
        ("{x}<r optional>{y}</r>\n\nb", "X<r>Y</r>\n\nb", "X\n\nb"),
        ("a\n\n<r optional>\n{y}\n</r>.\n\nb", "a\n\n<r>\nY\n</r>.\n\nb", "a\n\n.\n\nb"),
        // Nested blocks, and spellings of the tags.
        ("a<r optional>{x}<s optional>{y}</s></r>", "a<r>X<s>Y</s></r>", "a"),
        ("a<r optional>{x}</r><s\n optional >{y}</ S >b", "a<r>X</r><s>Y</ S >b", "a<r>X</r>b"),
        // Words in angle brackets are not closing tags.
        (
            "The <s> is\n<r optional>as </s> {y}\n</r>\nb",
            "The <s> is\n<r>as </s> Y\n</r>\nb",
            "The <s> is\nb",
        ),
        // Without blocks.
        (
            "<r optional=\"1\">{x}</r><optional>{x}</optional>",
            "<r optional=\"1\">X</r><optional>X</optional>",
            "<r optional=\"1\">X</r><optional>X</optional>",
        ),
        ("a < b <> </> 1<2 <<r>> <{x}>", "a < b <> </> 1<2 <<r>> <X>", "a < b <> </> 1<2 <<r>> <X>"),
    ];
    for (template, kept, gone) in cases {
        assert_eq!(render(template, with).unwrap(), kept, "{template}");
        assert_eq!(render(template, without).unwrap(), gone, "{template}");
    }
}

#[test]
fn a_removed_block_does_not_change_data() {
    let template = "{x}\n\n<r optional>\n{y}\n</r>\n\n{x}";
    assert_eq!(render(template, r#"{"x":"\n\n X \n\n"}"#).unwrap(), "\n\n X \n\n\n\n\n\n X \n\n");
    assert_eq!(render("{x}\n<r optional>\n{y}\n</r>\n", r#"{"x":" \n\n"}"#).unwrap(), " \n\n");
}

#[test]
fn an_optional_block_without_an_end_is_refused_with_its_place() {
    let cases = [
        ("<r optional>", "line 1, column 1: <r optional> is never closed. Write </r>"),
        ("é\n😀 <r optional>{x}</s>", "line 2, column 3: <r optional> is never"),
        ("<s><r optional></s>", "line 1, column 4: <r optional>"),
        ("<r optional><s optional></r>", "line 1, column 1: <r optional>"),
    ];
    for (template, expected) in cases {
        let error = Template::parse(template).unwrap_err();
        assert_eq!(error.code, Code::InvalidConfig);
        assert!(error.message.contains(expected), "{}", error.message);
    }
}

#[test]
fn data_cannot_end_its_block() {
    let cases = [
        ("<r>{x}</r>", "</r>", "<r>&lt;/r></r>"),
        ("<r>{x}</r>", "a </R\n>< / r></ \n\tr></s></", "<r>a &lt;/R\n>&lt; / r>&lt;/ \n\tr></s>&lt;/</r>"),
        ("<r>{x}</r>", "<</r></rest>é</é>", "<r><&lt;/r>&lt;/rest>é&lt;/é></r>"),
        (
            "<a b=\"c\"><é>{x}</É></a><c>{x}</c>",
            "</a></é></c>",
            "<a b=\"c\"><é>&lt;/a>&lt;/é></c></É></a><c></a>&lt;/é>&lt;/c></c>",
        ),
        ("<ответ>{x}</ответ>", "</ОТВЕТ></b>", "<ответ>&lt;/ОТВЕТ></b></ответ>"),
        ("<ask>{x}</ask>", "</as\u{212a}>", "<ask>&lt;/as\u{212a}></ask>"),
        ("< r >{x}</ r >", "</r>", "< r >&lt;/r></ r >"),
        ("<r>{x}< / r>", "</r>", "<r>&lt;/r>< / r>"),
        ("<a b=\"{x}\">{x}</a>", "</a>", "<a b=\"&lt;/a>\">&lt;/a></a>"),
        ("<r optional>{x}</r>", "</r>", "<r>&lt;/r></r>"),
        ("the <r> of {x} <r>{x}</r> {x}", "</r>", "the <r> of </r> <r>&lt;/r></r> </r>"),
        ("{x}", "</r>", "</r>"),
        ("</r>{x}<r>", "</r>", "</r></r><r>"),
    ];
    for (template, value, expected) in cases {
        let variables = JsonBuilder::object([("x", value.into())]).into_text();
        assert_eq!(render(template, &variables).unwrap(), expected, "{template} {value}");
    }
}

#[test]
fn long_data_is_read_once() {
    let value = "</r < / </ \n".repeat(200_000);
    let variables = JsonBuilder::object([("x", value.as_str().into())]).into_text();
    let escaped = value.replace("</r", "&lt;/r");
    let expected = format!("<r>{}&lt;/ \n</r>", escaped.strip_suffix("</ \n").unwrap());
    assert!(render("<r>{x}</r>", &variables).unwrap() == expected);
}

#[test]
fn content_parts_have_their_place_at_the_first_marker() {
    let around = |template: &str, variables| {
        let variables = json::parse(variables).unwrap();
        let (before, after) =
            Template::parse(template).unwrap().render_around(variables.as_object().unwrap(), "m").unwrap();
        (before, after.unwrap_or_else(|| "none".to_owned()))
    };
    let cases = [
        ("a {x} b", "a X b", "none"),
        ("a {x}{m} b {x}", "a X", " b X"),
        ("{m}", "", ""),
        ("a{m}b{m}c", "a", "bc"),
        // The marker counts as passed, whatever variable has its name.
        ("a\n\n<r optional>\n{m}\n</r>\n\nb", "a\n\n<r>\n", "\n</r>\n\nb"),
        ("{m}\n<r optional>\n{y}\n</r>\n\nb", "", "\n\nb"),
        ("a\n\n<r optional>{m}{y}</r>", "a\n", "none"),
    ];
    for (template, before, after) in cases {
        for variables in [r#"{"x":"X"}"#, r#"{"x":"X","m":"M"}"#] {
            assert_eq!(around(template, variables), (before.to_owned(), after.to_owned()), "{template}");
        }
    }
}

#[test]
fn values_cannot_end_it_together() {
    let render = |template: &str, one: &str, other: &str| {
        let variables = JsonBuilder::object([("a", one.into()), ("b", other.into())]).into_text();
        render(template, &variables).unwrap()
    };
    assert_eq!(render("<r>{a}{b}</r>", "x <", "/r> y"), "<r>x &lt;/r> y</r>");
    assert_eq!(render("<r>{a}\n{b}</r>", "x <", "/r> y"), "<r>x &lt;\n/r> y</r>");
    assert_eq!(render("<r>{a}{b}</r>", "x < \n/", "r>"), "<r>x &lt; \n/r></r>");
    assert_eq!(render("<rs>{a}{b}</rs>", "x </R", "S>"), "<rs>x &lt;/RS></rs>");
    assert_eq!(render("<r>{a}/r> {b}</r>", "<", ""), "<r>&lt;/r> </r>");
    assert_eq!(render("<rs>{a}{b}</rs>", "x <b", "</s"), "<rs>x <b</s</rs>");
    assert_eq!(render("{a}{b}", "<", "/r>"), "</r>");
}

proptest! {
    #[test]
    fn escaped_text_comes_back(text in "[{}a😀\n]{0,12}") {
        let escaped = text.replace('{', "{{").replace('}', "}}");
        prop_assert_eq!(render(&escaped, "{}").unwrap(), text);
    }

    #[test]
    fn reading_never_panics(text in "[{}a😀\n]{0,12}") {
        let _ = render(&text, "{}");
    }

    #[test]
    fn no_value_ends_a_block_around_it(value in "[<>/ \nrRsé]{0,16}") {
        let variables = JsonBuilder::object([("x", value.as_str().into())]).into_text();
        let rendered = render("<R>{x}<s a=''>{x}</s></R>{x}", &variables).unwrap();
        let (outer, rest) = rendered.strip_prefix("<R>").unwrap().split_once("<s a=''>").unwrap();
        let (inner, plain) = rest.split_once("</s></R>").unwrap();
        prop_assert_eq!(plain, &value);
        for (text, names) in [(outer, &["r"][..]), (inner, &["r", "s"][..])] {
            prop_assert_eq!(text.replace("&lt;", "<"), value.as_str());
            for tag in text.split('<').skip(1) {
                let tag = tag.replace([' ', '\n'], "").to_lowercase();
                let name = tag.strip_prefix('/');
                prop_assert!(!names.iter().any(|end| name.is_some_and(|name| name.starts_with(end))), "{}", text);
            }
            if !value.contains('/') && !value.contains('<') {
                prop_assert_eq!(text, &value);
            }
        }
    }

    #[test]
    fn templates_with_tags_never_panic(template in "([<>/ \n{}x]|</?[ab]( optional)?>|\\{[xy]\\}|\r\n|é){0,24}") {
        let _ = render(&template, r#"{"x":"</a></b>\n\n"}"#);
        let _ = render(&template, r#"{"x":"","y":""}"#);
    }

    #[test]
    fn without_blocks_text_is_as_it_was(template in "([<>/ \n]|</?[ab]( c)?>|\r\n|é){0,24}") {
        prop_assert_eq!(render(&template, "{}").unwrap(), template);
    }
}

#[test]
fn reports_the_variables_of_removed_blocks() {
    let omitted = |template: &str, variables: &str| {
        let variables = json::parse(variables).unwrap();
        Template::parse(template).unwrap().omitted(variables.as_object().unwrap())
    };
    let nested = "{o}<a optional>{x}{y}<b optional>{z}</b></a>{o}<c optional>{x}</c>";
    assert_eq!(omitted(nested, r#"{"o":"","y":""}"#).unwrap(), ["x", "z"]);
    assert_eq!(omitted(nested, r#"{"o":"","x":"","y":""}"#).unwrap(), ["z"]);
    assert!(omitted("{o}<a>{x}</a><b optional>b</b>", "{}").unwrap().is_empty());
    assert!(omitted("<a optional>{attachments}</a>", r#"{"attachments":[]}"#).unwrap().is_empty());

    let is_slip = |name: &str, meant: &str| {
        let error = omitted(&format!("<a optional>{{{meant}}}</a>"), &format!("{{\"{name}\":\"\"}}")).err();
        let is_told =
            |error: &Error| error.code == Code::InvalidInput && error.message.contains("Did you mean");
        assert!(error.as_ref().is_none_or(is_told));
        error.is_some()
    };
    for (name, meant) in [
        ("reference_output", "reference_outputs"),
        ("referenceOutput", "reference_outputs"),
        ("refrence_outputs", "reference_outputs"),
        ("REFERENCE-OUTPUTS", "reference_outputs"),
        ("contexts", "context"),
        ("conetxt", "context"),
        ("Ids", "ids"),
    ] {
        assert!(is_slip(name, meant), "{name} {meant}");
    }
    for (name, meant) in [
        ("reference_inputs", "reference_outputs"),
        ("reference", "reference_outputs"),
        ("outputs", "output"),
        ("example", "examples"),
        ("context_id", "context"),
        ("text", "context"),
        ("id", "ids"),
        ("a", "b"),
        ("", "b"),
    ] {
        assert!(!is_slip(name, meant), "{name} {meant}");
    }
}
