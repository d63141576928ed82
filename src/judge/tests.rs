use super::*;
use crate::chat::testing::ScriptedModel;
use crate::executor::ready;
use crate::json_schema::no_text_rules;

mod apis;

const YES: &str = r#"{"reasoning":"Both are Paris.","score":true}"#;

fn judge(change: impl FnOnce(&mut JudgeConfig)) -> Judge {
    let mut config = JudgeConfig {
        prompt: Some("Is {outputs} right?".to_owned()),
        use_reasoning: true,
        ..JudgeConfig::default()
    };
    change(&mut config);
    Judge::new(config).unwrap()
}

fn ask(judge: &Judge, model: &ScriptedModel) -> Result<Evaluation> {
    ready(judge.evaluate(model, r#"{"outputs":"Paris"}"#, &no_text_rules)).unwrap()
}

fn text(verdict: &Verdict) -> String {
    verdict.clone().into_json().into_text()
}

fn said_in(message: &Message) -> String {
    message.to_json().into_text()
}

#[test]
fn a_verdict_is_asked_for_and_returned() {
    let model = ScriptedModel::saying([YES]);
    let evaluation = ask(&judge(|_| {}), &model).unwrap();
    assert_eq!(text(&evaluation.verdict), r#"{"score":true,"reasoning":"Both are Paris."}"#);
    let prompt_hash = evaluation.metadata.prompt_hash.clone();
    assert_eq!(evaluation.metadata, Metadata { attempts: 1, prompt_hash, ..Metadata::default() });
    let (messages, schema) = model.requests.borrow().first().cloned().unwrap();
    assert_eq!(messages, [Message::new(Role::User, "Is Paris right?")]);
    assert!(schema.unwrap().contains(r#""required":["reasoning","score"]"#));
}

#[test]
fn the_prompt_hash_changes_with_all_that_the_model_reads_in_every_question() {
    let hash = |change: fn(&mut JudgeConfig)| {
        let model = ScriptedModel::saying([YES]);
        ask(&judge(change), &model).unwrap().metadata.prompt_hash.unwrap()
    };
    let first = hash(|_| {});
    assert_eq!(hash(|config| config.logprobs = true), first);
    assert_eq!(hash(|config| config.prompt_caching = Some(PromptCaching::Hour)), first);
    let others = [
        hash(|config| config.prompt = Some("Is {outputs} correct?".to_owned())),
        hash(|config| config.system = Some("Be strict.".to_owned())),
        hash(|config| config.few_shot_examples = vec![Example::default()]),
        hash(|config| config.use_reasoning = false),
    ];
    assert!(!others.contains(&first));
    // The same texts in other places.
    assert_ne!(hash_of(&["ab", "c"]), hash_of(&["a", "bc"]));
    // The published value for "a", and one more step for the end of the text.
    assert_eq!(
        hash_of(&["a"]),
        format!("{:016x}", (0xaf63_dc4c_8601_ec8c_u64 ^ 0xff).wrapping_mul(0x0100_0000_01b3))
    );
}

#[test]
fn a_models_confidence_goes_into_the_metadata() {
    let completion = Completion { text: YES.to_owned(), confidence: Some(0.75), ..Completion::default() };
    let model = ScriptedModel::new([Ok(completion)]);
    assert_eq!(ask(&judge(|_| {}), &model).unwrap().metadata.confidence, Some(0.75));
}

#[test]
fn system_message_and_examples_stand_around_the_prompt() {
    let example = |reasoning: Option<&str>| Example {
        inputs: "\"1 + 1\"".to_owned(),
        outputs: r#"{"sum":2}"#.to_owned(),
        reasoning: reasoning.map(str::to_owned),
        score: Some("true".to_owned()),
    };
    let judge = judge(|config| {
        config.system = Some("Be {strict}.".to_owned());
        config.few_shot_examples = vec![example(Some("It is.")), example(None)];
    });
    let model = ScriptedModel::saying([YES]);
    ask(&judge, &model).unwrap();
    let expected = "Is Paris right?\n\n<example>\n<input>\"1 + 1\"</input>\n<output>{\"sum\":2}</output>\n<reasoning>It is.</reasoning>\n<score>true</score>\n</example>\n<example>\n<input>\"1 + 1\"</input>\n<output>{\"sum\":2}</output>\n<score>true</score>\n</example>";
    let (messages, _) = model.requests.borrow().first().cloned().unwrap();
    assert_eq!(messages, [Message::new(Role::System, "Be {strict}."), Message::new(Role::User, expected)]);
}

#[test]
fn an_unusable_answer_is_asked_for_again_with_the_problem() {
    let answer = |text: &str, model: Option<&str>, finish| {
        let usage = Some(Usage { input_tokens: 10, output_tokens: 2, ..Usage::default() });
        Ok(Completion {
            text: text.to_owned(),
            model: model.map(str::to_owned),
            usage,
            attempts: 2,
            finish,
            ..Completion::default()
        })
    };
    let model = ScriptedModel::new([
        answer("It is.", Some("m-1"), Finish::Complete),
        answer(YES, None, Finish::Complete),
    ]);
    let evaluation = ask(&judge(|_| {}), &model).unwrap();
    let usage = Some(Usage { input_tokens: 20, output_tokens: 4, ..Usage::default() });
    let model_name = Some("m-1".to_owned());
    let prompt_hash = evaluation.metadata.prompt_hash.clone();
    let expected = Metadata { model: model_name, usage, attempts: 4, prompt_hash, ..Metadata::default() };
    assert_eq!(evaluation.metadata, expected);
    let (messages, _) = model.requests.borrow().get(1).cloned().unwrap();
    let [prompt, said, request] = messages.try_into().unwrap();
    assert_eq!(prompt, Message::new(Role::User, "Is Paris right?"));
    assert_eq!(said, Message::new(Role::Assistant, "It is."));
    assert_eq!(request.role, Role::User);
    assert!(said_in(&request).contains("\"This answer cannot be used: there is no JSON in it."));
    assert!(said_in(&request).contains("score"));

    // An empty answer is shown to the model as "(no answer)".
    let model = ScriptedModel::saying(["", YES]);
    ask(&judge(|_| {}), &model).unwrap();
    let (messages, _) = model.requests.borrow().get(1).cloned().unwrap();
    assert_eq!(messages.get(1), Some(&Message::new(Role::Assistant, "(no answer)")));
}

#[test]
fn an_answer_that_was_cut_off_is_an_error_even_if_it_can_be_read() {
    let cut_off =
        Completion { text: YES.to_owned(), finish: Finish::Truncated, attempts: 1, ..Completion::default() };
    let model = ScriptedModel::new([Ok(cut_off)]);
    let error = ask(&judge(|_| {}), &model).unwrap_err();
    assert_eq!(
        (error.code, error.attempts, error.raw.as_deref()),
        (Code::InvalidJudgeOutput, Some(1), Some(YES))
    );
    assert!(
        error.message.contains("it was cut off") && error.message.contains("Raise maxTokens"),
        "{}",
        error.message
    );
}

#[test]
fn after_that_it_is_an_error_with_the_answer() {
    let long = "no ".repeat(200);
    let error = ask(&judge(|_| {}), &ScriptedModel::saying(["Yes.", &long, YES])).unwrap_err();
    assert_eq!(error.code, Code::InvalidJudgeOutput);
    assert_eq!((error.attempts, error.raw.as_deref()), (Some(2), Some(long.as_str())));
    assert!(error.message.contains("there is no JSON in it. It answered: no no"), "{}", error.message);
    assert!(error.message.ends_with('…') && error.message.len() < 450);
}

#[test]
fn other_failures_are_passed_on_with_all_attempts() {
    let failure = Error::new(Code::RateLimited, "Slow down.").with(|error| error.attempts = Some(3));
    let first = Ok(Completion { text: "?".to_owned(), attempts: 2, ..Completion::default() });
    let error = ask(&judge(|_| {}), &ScriptedModel::new([first, Err(failure.clone())])).unwrap_err();
    assert_eq!(error, failure.with(|error| error.attempts = Some(5)));

    let finish = Finish::Refused("I would rather not.".to_owned());
    let refusal = Ok(Completion { finish, attempts: 1, ..Completion::default() });
    let error = ask(&judge(|_| {}), &ScriptedModel::new([refusal])).unwrap_err();
    assert_eq!((error.code, error.attempts), (Code::Refused, Some(1)));
    assert_eq!(error.message, "The model declined to judge: I would rather not.");
}

#[test]
fn a_custom_schema_returns_its_json() {
    let schema = r#"{"type":"object","required":["tone"]}"#.to_owned();
    let schema = CustomSchema::new("verdict", schema);
    let judge = judge(|config| config.output_schema = Some(schema));
    let model = ScriptedModel::saying([r#"{"mood": 1}"#, r#"{"tone": "kind", "b": 1.50}"#]);
    let evaluation = ask(&judge, &model).unwrap();
    assert_eq!(text(&evaluation.verdict), r#"{"tone": "kind", "b": 1.50}"#);
    assert_eq!(evaluation.metadata.attempts, 2);
}

#[test]
fn mistakes_are_found_when_the_judge_is_made() {
    let code = |config| Judge::new(config).map(|_| ()).unwrap_err().code;
    assert_eq!(
        code(JudgeConfig { prompt: Some("{".to_owned()), ..JudgeConfig::default() }),
        Code::InvalidConfig
    );
    let schema = CustomSchema::new("verdict", "1".to_owned());
    assert_eq!(
        code(JudgeConfig { output_schema: Some(schema), ..JudgeConfig::default() }),
        Code::InvalidConfig
    );
}

#[test]
fn nothing_is_asked_without_all_variables() {
    let model = ScriptedModel::saying([YES]);
    let judge = judge(|config| config.prompt = Some("{context}".to_owned()));
    assert_eq!(ask(&judge, &model).unwrap_err().code, Code::MissingVariable);
    assert!(model.requests.borrow().is_empty());
}

#[test]
fn reports_variables_that_were_not_passed() {
    let judge = judge(|config| config.prompt = Some("{outputs}<a optional>{context}</a>".to_owned()));
    let model = ScriptedModel::saying([YES, YES]);
    assert_eq!(ask(&judge, &model).unwrap().metadata.omitted, ["context"]);
    let asked = |question| ready(judge.evaluate(&model, question, &no_text_rules)).unwrap();
    assert!(asked(r#"{"outputs":"","context":""}"#).unwrap().metadata.omitted.is_empty());
    let error = asked(r#"{"outputs":"","contexts":""}"#).unwrap_err();
    assert_eq!(error.code, Code::InvalidInput);
    assert!(error.message.contains("\"contexts\"") && error.message.ends_with("Did you mean \"context\"?"));
    assert_eq!(model.requests.borrow().len(), 2);
}

#[test]
fn marks_the_common_prefix_and_changes_nothing_else() {
    let messages = |prompt: &str, system: Option<&str>, caching: Option<PromptCaching>| {
        let judge = judge(|config| {
            config.prompt = Some(prompt.to_owned());
            config.system = system.map(str::to_owned);
            config.prompt_caching = caching;
        });
        let model = ScriptedModel::saying([YES]);
        ask(&judge, &model).unwrap();
        model.requests.borrow().first().cloned().unwrap().0
    };
    let hour = Some(PromptCaching::Hour);
    let prefix = |text: &str| Part::Prefix { text: text.to_owned(), ttl: PromptCaching::Hour };
    for (prompt, system, marked) in [
        ("Is\n{outputs} right?", Some("Judge."), Some((1, "Is"))),
        ("Is <a optional>{a}</a>{outputs}", None, Some((0, "Is"))),
        ("{outputs} is", Some("Judge."), Some((0, "Judge."))),
        ("{outputs} is", Some(" "), None),
        ("All the same.", None, None),
    ] {
        let (asked, plain) = (messages(prompt, system, hour), messages(prompt, system, None));
        assert_eq!(asked.iter().map(Message::plain).collect::<Vec<_>>(), plain, "{prompt}");
        let found = asked.iter().enumerate().find_map(|(index, message)| {
            let part = message.content.first().filter(|part| matches!(part, Part::Prefix { .. }));
            part.map(|part| (index, part.clone()))
        });
        assert_eq!(found, marked.map(|(index, text)| (index, prefix(text))), "{prompt}");
    }
}
