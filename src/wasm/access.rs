//! Access that the package provides for each question: a key from a function, or credentials that sign.

use crate::chat::Secrets;
use crate::json;
use js_sys::Function;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const ACCESS: &str = r#"
/** The access of one question that is only known when it is asked: a key from a function, or a signature. */
export interface Access {
    /** Adds the access to a request, and sends it. */
    fetch: (url: string, init: any) => Promise<any>;
    /** The secrets to remove from all texts. */
    secrets: JsonOf<string[]>;
    /** The possible secrets to remove from error messages only. */
    private: JsonOf<string[]>;
}

/**
 * Is asked before the first attempt at each question.
 */
export type OpenAccess = () => Promise<Access>;
"#;

#[wasm_bindgen]
extern "C" {
    /// The access of one question (`access.ts`).
    pub(super) type Access;

    #[wasm_bindgen(method, getter)]
    fn fetch(this: &Access) -> Function;

    #[wasm_bindgen(method, getter)]
    fn secrets(this: &Access) -> String;

    #[wasm_bindgen(method, getter)]
    fn private(this: &Access) -> String;
}

/// Gets access, and stores the newest.
pub(super) struct AccessCache {
    open: Function,
    /// Sends requests with the newest access.
    pub fetch: RefCell<Option<Function>>,
    /// The secrets of all access so far, because questions in flight may use an earlier one.
    pub secrets: RefCell<Secrets>,
    /// The error of the function for access.
    pub thrown: RefCell<Option<JsValue>>,
}

impl AccessCache {
    pub fn new(open: Function) -> Self {
        Self { open, fetch: RefCell::default(), secrets: RefCell::default(), thrown: RefCell::default() }
    }

    /// The promise of access.
    pub fn ask(&self) -> Result<JsValue, JsValue> {
        self.open.call0(&JsValue::UNDEFINED)
    }

    /// Stores new access.
    pub fn admit(&self, access: &Access) {
        let mut known = self.secrets.borrow_mut();
        add(&mut known.secrets, &access.secrets());
        add(&mut known.private, &access.private());
        self.fetch.replace(Some(access.fetch()));
    }
}

/// Adds the texts of a JSON list, except those that are already there.
fn add(known: &mut Vec<String>, texts: &str) {
    for text in json::read::<Vec<String>>(texts).unwrap_or_default() {
        if !known.contains(&text) {
            known.push(text);
        }
    }
}
