//! A page: one player's browser window.

use crate::pipe::Pipe;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The longest wait for a condition, in milliseconds. A loaded machine is slow.
const TIMEOUT_MS: u32 = 30_000;

/// A page in a profile of its own.
pub struct Tab {
    pipe: Arc<Pipe>,
    session: String,
    target: Value,
    context: Value,
}

impl Tab {
    pub(crate) fn open(pipe: Arc<Pipe>, context: &Value, address: &str) -> Tab {
        let ask = |method: &str, params: Value| {
            pipe.ask(None, method, params).unwrap_or_else(|why| panic!("Chromium: {method}: {why}"))
        };
        let target = ask(
            "Target.createTarget",
            json!({ "url": "about:blank", "browserContextId": context }),
        )["targetId"]
            .take();
        let session = ask("Target.attachToTarget", json!({ "targetId": target, "flatten": true }))
            ["sessionId"]
            .take();
        let session = session.as_str().unwrap_or_default().to_owned();
        let page = Tab { pipe, session, target, context: context.clone() };
        for domain in ["Page", "Runtime", "Network", "Log"] {
            page.ask(&format!("{domain}.enable"), json!({}));
        }
        page.size(1280, 900);
        if address != "about:blank" {
            page.go(address);
        }
        page
    }

    /// A second window of the same profile: the same player, the same storage.
    pub fn beside(&self, address: &str) -> Tab {
        Tab::open(self.pipe.clone(), &self.context, address)
    }

    /// Any other method of the protocol.
    pub fn ask(&self, method: &str, params: Value) -> Value {
        self.pipe
            .ask(Some(&self.session), method, params)
            .unwrap_or_else(|why| panic!("Chromium: {method}: {why}"))
    }

    /// Goes to an address and waits until it has loaded.
    pub fn go(&self, address: &str) {
        let answer = self.ask("Page.navigate", json!({ "url": address }));
        if let Some(why) = answer["errorText"].as_str() {
            panic!("{address}: {why}");
        }
        self.wait("document.readyState === 'complete'", "the page is loaded");
    }

    /// Loads the page again and waits until the new one is there.
    pub fn reload(&self) {
        self.eval("window.before_reload = true");
        self.ask("Page.reload", json!({}));
        self.wait(
            "!window.before_reload && document.readyState === 'complete'",
            "the page is loaded again",
        );
    }

    /// The value of an expression in the page. Promises are awaited.
    pub fn eval(&self, expression: &str) -> Value {
        self.try_eval(expression).unwrap_or_else(|why| panic!("{expression}: {why}"))
    }

    fn try_eval(&self, expression: &str) -> Result<Value, String> {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let mut answer = self.pipe.ask(Some(&self.session), "Runtime.evaluate", params)?;
        match answer.get("exceptionDetails") {
            Some(fault) => Err(fault["exception"]["description"]
                .as_str()
                .or(fault["text"].as_str())
                .unwrap_or("a fault")
                .to_owned()),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    /// Waits until an expression is true. `what` is the message if it never is.
    pub fn wait(&self, expression: &str, what: &str) {
        self.wait_within(TIMEOUT_MS, expression, what);
    }

    /// The same with a time limit in milliseconds.
    pub fn wait_within(&self, milliseconds: u32, expression: &str, what: &str) {
        let script = format!(
            "new Promise((done) => {{ const end = performance.now() + {milliseconds}; const look = () => {{ let is = false; try {{ is = !!({expression}); }} catch {{}} \
             if (is || performance.now() > end) done(is); else setTimeout(look, 10); }}; look(); }})"
        );
        // A navigation destroys the promises of the old page. Then the new page is asked.
        let lost = |why: &str| {
            why.contains("navigated")
                || why.contains("destroyed")
                || why.contains("Cannot find context")
        };
        let mut outcome = self.try_eval(&script);
        while outcome.as_ref().err().is_some_and(|why| lost(why)) {
            outcome = self.try_eval(&script);
        }
        if outcome != Ok(Value::Bool(true)) {
            panic!(
                "never came true: {what}\n  {expression}\n  {outcome:?}\n  the page says: {}\n  {:?}",
                self.text("body"),
                self.complaints()
            );
        }
    }

    /// Waits until the page contains this text.
    pub fn sees(&self, text: &str) {
        self.wait(
            &format!("document.body.innerText.includes({})", json!(text)),
            &format!("the page shows “{text}”"),
        );
    }

    /// Waits until the first element of a selector contains this text.
    pub fn sees_in(&self, selector: &str, text: &str) {
        let expression = format!(
            "document.querySelector({})?.innerText.includes({})",
            json!(selector),
            json!(text)
        );
        self.wait(&expression, &format!("{selector} shows “{text}”"));
    }

    /// The text of the first element of a selector.
    pub fn text(&self, selector: &str) -> String {
        let text =
            self.try_eval(&format!("document.querySelector({})?.innerText ?? ''", json!(selector)));
        text.ok().and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Clicks the centre of the first visible element of a selector.
    pub fn press(&self, selector: &str) {
        self.press_what(&format!("[...document.querySelectorAll({})]", json!(selector)), selector);
    }

    /// Clicks the button, link, label or summary with this text.
    pub fn press_text(&self, text: &str) {
        let all = format!(
            "[...document.querySelectorAll('button, a, label, summary, [role=button], [role=tab]')].filter((e) => e.innerText.trim() === {0} || e.getAttribute('aria-label') === {0})",
            json!(text)
        );
        self.press_what(&all, &format!("“{text}”"));
    }

    /// Clicks the first visible element of a selector that contains this text.
    pub fn press_with(&self, selector: &str, text: &str) {
        let all = format!(
            "[...document.querySelectorAll({})].filter((e) => e.innerText.includes({}))",
            json!(selector),
            json!(text)
        );
        self.press_what(&all, &format!("{selector} with “{text}”"));
    }

    /// Clicks the first visible element of an expression's elements; `what` names it in errors.
    pub fn press_what(&self, elements: &str, what: &str) {
        let at = self.hold(elements, what);
        self.release(&at);
    }

    /// Presses the mouse button on an element and holds it. Returns the position, for `release`.
    pub fn hold(&self, elements: &str, what: &str) -> Value {
        let seen = format!("{elements}.filter((e) => e.checkVisibility() && !e.disabled)[0]");
        self.wait(&seen, &format!("{what} can be pressed"));
        let middle = format!(
            "(() => {{ const e = {seen}; e.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}}); const r = e.getBoundingClientRect(); \
             return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        let at = self.eval(&middle);
        self.mouse("mousePressed", &at, 1);
        at
    }

    /// Releases the mouse button.
    pub fn release(&self, at: &Value) {
        self.mouse("mouseReleased", at, 0);
    }

    fn mouse(&self, kind: &str, at: &Value, buttons: u32) {
        let params = json!({ "type": kind, "x": at[0], "y": at[1], "button": "left", "buttons": buttons, "clickCount": 1 });
        self.ask("Input.dispatchMouseEvent", params);
    }

    /// Types a text into the focused element.
    pub fn write(&self, text: &str) {
        self.ask("Input.insertText", json!({ "text": text }));
    }

    /// Replaces the text of a field.
    pub fn fill(&self, selector: &str, text: &str) {
        self.wait(
            &format!("document.querySelector({})", json!(selector)),
            &format!("the field {selector} is there"),
        );
        self.eval(&format!(
            "(() => {{ const e = document.querySelector({}); e.focus(); e.select?.(); }})()",
            json!(selector)
        ));
        if text.is_empty() { self.key("Delete") } else { self.write(text) }
    }

    /// Presses a key: `Tab`, `Enter`, `Escape`, `ArrowDown`, ` `, a letter or digit.
    pub fn key(&self, key: &str) {
        self.key_with(key, 0);
    }

    /// Presses a key with modifiers: 1 Alt, 2 Ctrl, 4 Meta, 8 Shift.
    pub fn key_with(&self, key: &str, modifiers: u32) {
        let (code, number, text) = match key {
            "Enter" => ("Enter".to_owned(), 13, "\r".to_owned()),
            "Tab" => ("Tab".to_owned(), 9, String::new()),
            "Escape" => ("Escape".to_owned(), 27, String::new()),
            "Backspace" => ("Backspace".to_owned(), 8, String::new()),
            "Delete" => ("Delete".to_owned(), 46, String::new()),
            " " => ("Space".to_owned(), 32, " ".to_owned()),
            "ArrowLeft" => ("ArrowLeft".to_owned(), 37, String::new()),
            "ArrowUp" => ("ArrowUp".to_owned(), 38, String::new()),
            "ArrowRight" => ("ArrowRight".to_owned(), 39, String::new()),
            "ArrowDown" => ("ArrowDown".to_owned(), 40, String::new()),
            key => {
                let upper = key.to_ascii_uppercase();
                let code = if upper.chars().all(|c| c.is_ascii_digit()) {
                    format!("Digit{upper}")
                } else {
                    format!("Key{upper}")
                };
                (code, upper.bytes().next().map_or(0, u32::from), key.to_owned())
            }
        };
        for kind in ["keyDown", "keyUp"] {
            let mut params = json!({ "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers });
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = text.as_str().into();
            }
            self.ask("Input.dispatchKeyEvent", params);
        }
    }

    /// Sets the window size.
    pub fn size(&self, width: u32, height: u32) {
        let params =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", params);
    }

    /// Emulates a phone of this size, with touch.
    pub fn phone(&self, width: u32, height: u32) {
        let params =
            json!({ "width": width, "height": height, "deviceScaleFactor": 2, "mobile": true });
        self.ask("Emulation.setDeviceMetricsOverride", params);
        self.ask("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
    }

    /// Emulates dark or light mode.
    pub fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] }),
        );
    }

    /// Slows the processor down by this factor.
    pub fn slow(&self, times: u32) {
        self.ask("Emulation.setCPUThrottlingRate", json!({ "rate": times }));
    }

    /// Takes the network away, or restores it.
    pub fn offline(&self, offline: bool) {
        let params = json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.ask("Network.emulateNetworkConditions", params);
    }

    /// Adds a script that runs before any of the page's own, from the next load on.
    pub fn before_all(&self, script: &str) {
        self.ask("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    /// Saves this player's downloads in a folder.
    pub fn keep_files(&self, folder: &Path) {
        let params = json!({ "behavior": "allow", "browserContextId": self.context, "downloadPath": folder });
        self.pipe.ask(None, "Browser.setDownloadBehavior", params).expect("a folder for files");
    }

    /// Waits for a file with this ending in that folder, and returns its path.
    pub fn file(&self, folder: &Path, ending: &str) -> std::path::PathBuf {
        for _ in 0..TIMEOUT_MS / 20 {
            let files =
                std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
            let whole = |path: &std::path::PathBuf| {
                std::fs::metadata(path).is_ok_and(|file| file.len() > 0)
            };
            if let Some(path) =
                files.filter(whole).find(|path| path.to_string_lossy().ends_with(ending))
            {
                return path;
            }
            self.eval("new Promise((done) => setTimeout(done, 20))");
        }
        panic!("no file {ending} came; the page says: {}", self.text("body"));
    }

    /// Saves a screenshot of the window, or of the whole page.
    pub fn picture(&self, file: &Path, whole: bool) {
        let answer = self.ask(
            "Page.captureScreenshot",
            json!({ "format": "png", "captureBeyondViewport": whole }),
        );
        let bytes = from_base64(answer["data"].as_str().unwrap_or_default());
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).expect("the folder of pictures");
        }
        std::fs::write(file, bytes).expect("the picture");
    }

    /// Errors that the page wrote to its console, and uncaught exceptions. Each is returned once.
    pub fn complaints(&self) -> Vec<String> {
        let wanted = ["Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"];
        let events =
            self.pipe.events(&self.session, |event| wanted.contains(&event.method.as_str()));
        let message = |event: crate::pipe::Event| {
            let params = &event.params;
            match event.method.as_str() {
                "Runtime.exceptionThrown" => {
                    Some(params["exceptionDetails"]["exception"]["description"].to_string())
                }
                "Log.entryAdded" if params["entry"]["level"] == "error" => {
                    Some(format!("{} {}", params["entry"]["text"], params["entry"]["url"]))
                }
                "Runtime.consoleAPICalled" if params["type"] == "error" => {
                    Some(params["args"].to_string())
                }
                _ => None,
            }
        };
        events.into_iter().filter_map(message).collect()
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let _ = self.pipe.ask(None, "Target.closeTarget", json!({ "targetId": self.target }));
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut held, mut bits) = (Vec::with_capacity(text.len() / 4 * 3), 0_u32, 0);
    for six in text.bytes().filter_map(value) {
        held = held << 6 | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 255) as u8);
        }
    }
    bytes
}
