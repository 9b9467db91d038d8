//! The OpenAPI document of the server, made from the types of this crate and a table of operations.
//! A test of the server compares the table with its routes.

use crate::requests::ChartQueryFields;
use crate::schema::{AnyEvent, Resolution};
use crate::{
    AboutGame, Act, ChartData, CheckedPack, CreatedGame, EnterGame, ErrorBody, FightData,
    FightOutlook, GameList, Invitation, Invitations, JoinGame, Joined, NewGame, OddsData, PackData,
    PackListing, PackTexts, ReadInvitation, Roll, Rolled, RotateInvitations, StoredLine,
};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value as Json, json};

/// A chart or a fight.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, clippy::large_enum_variant, reason = "only its schema is used")]
enum ChartOrFight {
    Chart(ChartData<'static>),
    Fight(FightData<'static>),
}

/// The document.
pub fn openapi() -> Json {
    let mut document = Document::new();
    for operation in operations(&mut document) {
        document.add(operation);
    }
    document.finish()
}

fn operations(document: &mut Document) -> Vec<Operation> {
    let mut all = game_operations(document);
    all.extend(pack_operations(document));
    all.extend(other_operations(document));
    all
}

fn game_operations(of: &mut Document) -> Vec<Operation> {
    const GAME: &str = "/api/games/{id}";
    let at = |path: &str| format!("{GAME}{path}");
    vec![
        get("/api/games", "listGames", "All games.")
            .owner()
            .answers(of.json::<GameList>("The games, the last played first."))
            .may_fail(&[401]),
        post("/api/games", "createGame", "Starts a game.")
            .open()
            .once()
            .takes(of.body::<NewGame>())
            .creates(of.json::<CreatedGame>("The game, a token for the player who started it, and its invitations."))
            .may_fail(&[500]),
        post("/api/games/import", "importGame", "Makes a game of a log, which is checked down to the last roll.")
            .open()
            .query("who", "The player who imports it.", json!({ "type": "string" }))
            .once()
            .takes(text("application/jsonl", "The log."))
            .creates(of.json::<CreatedGame>("The new game."))
            .may_fail(&[500]),
        get(GAME, "aboutGame", "What the game is, who the caller is in it, and who is here.")
            .at_least()
            .answers(of.json::<AboutGame>("The game."))
            .may_fail(&[401]),
        post(at("/invitation"), "readInvitation", "What the invitation with this key is for: the game, its players, and the seat.")
            .open()
            .takes(of.body::<ReadInvitation>())
            .answers(of.json::<Invitation>("The game and the seat."))
            .may_fail(&[403, 409]),
        post(at("/join"), "joinGame", "Joins with the key of an invitation. A caller who shows a token changes the seat.")
            .open()
            .once()
            .takes(of.body::<JoinGame>())
            .answers(of.json::<Joined>("A token for the caller."))
            .may_fail(&[403, 409, 500]),
        post(at("/enter"), "enterGame", "Gives the owner of the server a token.")
            .owner()
            .once()
            .takes(of.body::<EnterGame>())
            .answers(of.json::<Joined>("A token. 403: the player of this name rolls sealed in this game."))
            .may_fail(&[401, 403, 404, 409, 500]),
        get(at("/lines"), "readLines", "The whole log after an event, one line for each event.")
            .after()
            .at_least()
            .answers(text("application/jsonl", "One line of JSON for each event."))
            .may_fail(&[400, 401]),
        get(at("/events"), "listen", "Events as they come: `line`, with its number as id, and `here`. The stream stays open.")
            .after()
            .header("Last-Event-ID", "The same, as browsers send it when they reconnect.")
            .answers(text("text/event-stream", "A stream of server-sent events."))
            .may_fail(&[400, 401]),
        post(at("/act"), "act", "Does something other than a roll. What the server can work out may be left out.")
            .once()
            .takes(of.body::<Act<AnyEvent>>())
            .answers(of.json::<StoredLine>("The line that was stored."))
            .may_fail(&[401, 403, 409, 500]),
        post(at("/play"), "play", "Rolls a chart with the server's dice, or with `dice` and `cards` of the caller.")
            .once()
            .takes(of.body::<Roll>())
            .answers(of.json::<Rolled>("The line that was stored; or `needs`, what is missing, and the `ticket` to go on with."))
            .may_fail(&[401, 403, 409, 500]),
        get(at("/invitations"), "invitations", "The keys of all invitations; for umpires and the player who started the game.")
            .answers(of.json::<Invitations>("The keys."))
            .may_fail(&[401, 403, 409]),
        post(at("/invitations"), "rotateInvitations", "Replaces invitations. The old ones and their tokens become invalid.")
            .once()
            .takes(of.body::<RotateInvitations>())
            .answers(of.json::<Invitations>("The keys that are valid now."))
            .may_fail(&[401, 403, 409, 500]),
    ]
}

fn pack_operations(of: &mut Document) -> Vec<Operation> {
    let query = |of: &mut Document| of.body::<ChartQueryFields>();
    vec![
        get("/api/packs", "listPacks", "The packs of this server.").open().answers(of.json::<Vec<
            PackListing<'_>,
        >>(
            "The packs.",
        )),
        get(
            "/api/bundles/{sum}",
            "fetchBundle",
            "A pack as one file, by the checksum at its end: one of the server's, or of a game.",
        )
        .open()
        .answers(text("application/json", "The bundle: docs/guide/sharing.md."))
        .may_fail(&[404]),
        get("/api/packs/{pack}", "showPack", "A pack as data.")
            .open()
            .answers(of.json::<PackData<'_>>("The pack."))
            .may_fail(&[404]),
        get("/api/packs/{pack}/charts/{chart}", "showChart", "A chart or a fight as data.")
            .open()
            .answers(of.json::<ChartOrFight>("The chart or the fight."))
            .may_fail(&[404]),
        post("/api/roll", "roll", "Rolls a chart outside a game.")
            .open()
            .takes(query(of))
            .answers(of.json::<Resolution>("Everything that the roll did."))
            .may_fail(&[404]),
        post("/api/odds", "odds", "The exact chances of a chart.")
            .open()
            .takes(query(of))
            .answers(of.json::<OddsData<'_>>("The chances."))
            .may_fail(&[404]),
        post(
            "/api/fight",
            "fight",
            "Who wins a fight: exactly, or by playing it where it is too large.",
        )
        .open()
        .takes(query(of))
        .answers(of.json::<FightOutlook<'_>>("What to expect."))
        .may_fail(&[404]),
        post(
            "/api/check",
            "check",
            "Checks the files of a pack and lists every fault with its place.",
        )
        .open()
        .takes(of.body::<PackTexts>())
        .answers(of.json::<CheckedPack<'_>>("The faults, and the pack if it has none.")),
    ]
}

fn other_operations(of: &mut Document) -> Vec<Operation> {
    vec![
        get("/api/openapi.json", "openapi", "This document.")
            .open()
            .answers(of.json::<Map<String, Json>>("The document.")),
        get(
            "/healthz",
            "health",
            "Whether the server answers and its store can be read and written.",
        )
        .open()
        .answers(text("text/plain", "They can."))
        .may_fail(&[503]),
        get("/metrics", "metrics", "Counters for Prometheus.")
            .owner()
            .answers(text("text/plain", "The counters."))
            .may_fail(&[401]),
    ]
}

/// What an error means, for all operations.
fn error_meaning(status: u16) -> &'static str {
    match status {
        400 => "The request cannot be read.",
        401 => "No token, or one that is not valid here.",
        403 => "The caller may not do this.",
        404 => "There is nothing of this name.",
        409 => {
            "Another event came first (`last` is its number), a name is taken, or a roll is pending."
        }
        413 => "The body is too long.",
        422 => {
            "The request can be read but does not fit. `sentences` says everything that is wrong."
        }
        429 => "Too many requests: wait a moment.",
        500 => {
            "The store failed in the middle. `unknown` is true: load the game again before you go on."
        }
        _ => "The store cannot be read or written.",
    }
}

/// A body or an answer: its media type, its schema and what it is.
struct Content {
    media: &'static str,
    schema: Json,
    description: &'static str,
}

fn text(media: &'static str, description: &'static str) -> Content {
    Content { media, schema: json!({ "type": "string" }), description }
}

impl Content {
    fn content(&self) -> Json {
        json!({ self.media: { "schema": self.schema } })
    }
}

/// One operation.
struct Operation {
    method: &'static str,
    path: String,
    about: Map<String, Json>,
    parameters: Vec<Json>,
    responses: Map<String, Json>,
    errors: Vec<u16>,
}

fn get(path: impl Into<String>, id: &str, summary: &str) -> Operation {
    Operation::new("get", path.into(), id, summary)
}

fn post(path: impl Into<String>, id: &str, summary: &str) -> Operation {
    Operation::new("post", path.into(), id, summary)
}

impl Operation {
    fn new(method: &'static str, path: String, id: &str, summary: &str) -> Operation {
        let named =
            path.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
        let parameters = named.map(|name| {
            let mut parameter = json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } });
            if name == "id" {
                parameter["description"] = "The game's id: 16 letters and digits.".into();
            }
            parameter
        });
        let parameters = parameters.collect();
        let about = Map::from_iter([
            ("operationId".to_owned(), id.into()),
            ("summary".to_owned(), summary.into()),
        ]);
        Operation { method, path, about, parameters, responses: Map::new(), errors: vec![429] }
    }

    /// For everybody.
    fn open(mut self) -> Operation {
        self.about.insert("security".into(), json!([]));
        self
    }

    /// For the owner of the server.
    fn owner(mut self) -> Operation {
        self.about.insert("security".into(), json!([{ "owner": [] }]));
        self
    }

    fn query(mut self, name: &str, description: &str, schema: Json) -> Operation {
        self.parameters.push(
            json!({ "name": name, "in": "query", "description": description, "schema": schema }),
        );
        self
    }

    fn header(mut self, name: &str, description: &str) -> Operation {
        let schema = json!({ "type": "integer", "minimum": 0 });
        self.parameters.push(
            json!({ "name": name, "in": "header", "description": description, "schema": schema }),
        );
        self
    }

    /// A write that can be repeated safely.
    fn once(mut self) -> Operation {
        self.parameters.push(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "description": "A new random text for each new request. A request that is repeated with the same key and body within a day is not carried out again and gets the first answer; with another body it gets 422.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 200 },
        }));
        self
    }

    fn at_least(mut self) -> Operation {
        self.errors.push(503);
        self.query(
            "at_least",
            "Answers only when this event is known here. The server reads it from the store if another server stored it, waits at most two seconds, then answers 503.",
            json!({ "type": "integer", "minimum": 0 }),
        )
    }

    fn after(self) -> Operation {
        self.query(
            "after",
            "The last event that the caller knows; 0 for all.",
            json!({ "type": "integer", "minimum": 0 }),
        )
    }

    fn takes(mut self, body: Content) -> Operation {
        self.about
            .insert("requestBody".into(), json!({ "required": true, "content": body.content() }));
        self.errors.extend([400, 413, 422]);
        self
    }

    fn answers(self, answer: Content) -> Operation {
        self.responds("200", answer)
    }

    fn creates(self, answer: Content) -> Operation {
        self.responds("201", answer)
    }

    fn responds(mut self, status: &str, answer: Content) -> Operation {
        self.responses.insert(
            status.into(),
            json!({ "description": answer.description, "content": answer.content() }),
        );
        self
    }

    fn may_fail(mut self, errors: &[u16]) -> Operation {
        self.errors.extend(errors);
        self
    }
}

/// The document while it is made. Schemas of bodies say what may be left out, those of answers what
/// may be missing.
struct Document {
    answers: SchemaGenerator,
    bodies: SchemaGenerator,
    paths: Map<String, Json>,
}

impl Document {
    fn new() -> Document {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        let (answers, bodies) = (settings.clone().for_serialize(), settings.for_deserialize());
        Document {
            answers: answers.into_generator(),
            bodies: bodies.into_generator(),
            paths: Map::new(),
        }
    }

    fn json<T: JsonSchema>(&mut self, description: &'static str) -> Content {
        Content {
            media: "application/json",
            schema: self.answers.subschema_for::<T>().to_value(),
            description,
        }
    }

    fn body<T: JsonSchema>(&mut self) -> Content {
        Content {
            media: "application/json",
            schema: self.bodies.subschema_for::<T>().to_value(),
            description: "",
        }
    }

    fn add(&mut self, mut operation: Operation) {
        let error = self.answers.subschema_for::<ErrorBody>().to_value();
        operation.errors.sort_unstable();
        for status in operation.errors {
            let content = json!({ "application/json": { "schema": error } });
            operation.responses.insert(
                status.to_string(),
                json!({ "description": error_meaning(status), "content": content }),
            );
        }
        if !operation.parameters.is_empty() {
            operation.about.insert("parameters".into(), operation.parameters.into());
        }
        operation.about.insert("responses".into(), operation.responses.into());
        let path = self.paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = operation.about.into();
    }

    fn finish(mut self) -> Json {
        let mut schemas = self.answers.take_definitions(true);
        // Types that are sent both ways read the same in both.
        schemas.extend(self.bodies.take_definitions(true));
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Adjutant",
                "version": "1",
                "description": "Games, rolls and odds of tabletop wargames. Bodies have at most 256 KiB, imported logs 4 MiB.",
                "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
            },
            "security": [{ "token": [] }],
            "paths": self.paths,
            "components": {
                "schemas": schemas,
                "securitySchemes": {
                    "token": { "type": "http", "scheme": "bearer", "description": "From starting or joining a game." },
                    "owner": {
                        "type": "http",
                        "scheme": "bearer",
                        "description": "The key that the server printed at its start; not needed on the machine itself.",
                    },
                },
            },
        })
    }
}
