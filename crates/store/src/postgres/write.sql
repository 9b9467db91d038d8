-- What version 3 had.
DROP FUNCTION IF EXISTS adjutant.append;
DROP FUNCTION IF EXISTS adjutant.put_text;
DROP FUNCTION IF EXISTS adjutant.remember;
DROP TABLE IF EXISTS adjutant.receipts;

-- What a player's receipts take is the end of the last minus the start of the first.
CREATE TABLE adjutant.receipts (
    game        bigint NOT NULL REFERENCES adjutant.tables (key),
    player      text   NOT NULL,
    key         text   NOT NULL,
    at          bigint NOT NULL,
    starts      bigint NOT NULL,
    ends        bigint NOT NULL,
    fingerprint text   NOT NULL,
    answer      text   NOT NULL,
    PRIMARY KEY (game, player, key)
);
CREATE INDEX receipts_by_size ON adjutant.receipts (game, player, ends);
CREATE INDEX receipts_by_age ON adjutant.receipts (game, at);

-- Stores a receipt and deletes those of the game that are too old. The caller has locked the game.
CREATE FUNCTION adjutant.remember(
    in_game bigint, in_player text, in_key text, in_fingerprint text, in_answer text,
    overhead bigint, lifetime bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    present bigint := adjutant.now_ms();
    used bigint;
BEGIN
    DELETE FROM adjutant.receipts r WHERE r.game = in_game AND r.at < present - lifetime;
    used := (SELECT coalesce(max(r.ends), 0) FROM adjutant.receipts r
        WHERE r.game = in_game AND r.player = in_player);
    INSERT INTO adjutant.receipts (game, player, key, at, starts, ends, fingerprint, answer)
        VALUES (in_game, in_player, in_key, present, used, used + overhead + octet_length(in_answer),
            in_fingerprint, in_answer)
        ON CONFLICT (game, player, key) DO NOTHING;
END $$;

-- Appends to several games in one transaction and sends one notification for all. Element i of each
-- array belongs to append i; its lines are the next counts[i] elements of lines. Returns a row for
-- each append, in their order. 'locked' is said only if patient is false: another transaction holds
-- the game. A batch never waits for a lock, so that two cannot wait for each other. Each statement in this
-- function sees what was committed before it started, so after the row is locked the checks are
-- made on the newest state.
CREATE FUNCTION adjutant.append(
    ids text[], afters bigint[], counts int[], lines text[], guards text[], versions bigint[],
    players text[], keys text[], fingerprints text[], answers text[],
    overhead bigint, lifetime bigint, patient boolean
) RETURNS TABLE (outcome text, number bigint) LANGUAGE plpgsql AS $$
DECLARE
    this record;
    used int := 0;
    changes text := '';
BEGIN
    FOR i IN 1 .. cardinality(ids) LOOP
        number := 0;
        IF patient THEN
            SELECT t.key, t.last INTO this FROM adjutant.tables t WHERE t.id = ids[i] FOR NO KEY UPDATE;
        ELSE
            SELECT t.key, t.last INTO this FROM adjutant.tables t WHERE t.id = ids[i] FOR NO KEY UPDATE SKIP LOCKED;
        END IF;
        IF NOT FOUND THEN
            outcome := CASE WHEN patient THEN 'no game' ELSE 'locked' END;
        ELSIF this.last <> afters[i] THEN
            outcome := 'moved on';
            number := this.last;
        ELSIF guards[i] IS NOT NULL AND versions[i] <> coalesce(
            (SELECT x.version FROM adjutant.texts x WHERE x.game = this.key AND x.name = guards[i]), 0)
        THEN
            outcome := 'text changed';
        ELSE
            outcome := 'stored';
            number := this.last + counts[i];
            UPDATE adjutant.tables t SET last = number, changed = greatest(t.changed, adjutant.now_ms())
                WHERE t.key = this.key;
            INSERT INTO adjutant.events (game, number, text)
                SELECT this.key, this.last + n, lines[used + n] FROM generate_series(1, counts[i]) AS n;
            IF keys[i] IS NOT NULL THEN
                PERFORM adjutant.remember(
                    this.key, players[i], keys[i], fingerprints[i], answers[i], overhead, lifetime);
            END IF;
            changes := changes || ids[i] || ' ' || number || E'\n';
        END IF;
        used := used + counts[i];
        RETURN NEXT;
    END LOOP;
    IF changes <> '' THEN
        PERFORM pg_notify('adjutant', changes);
    END IF;
END $$;

-- Writes a text if its version is still the one the writer saw. Returns the new version, 0 if
-- another writer was faster, or null if there is no such game.
CREATE FUNCTION adjutant.put_text(
    in_id text, in_name text, seen bigint, in_text text,
    in_player text, in_key text, in_fingerprint text, in_answer text, overhead bigint, lifetime bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    this record;
BEGIN
    SELECT t.key, t.last INTO this FROM adjutant.tables t WHERE t.id = in_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF seen = 0 THEN
        INSERT INTO adjutant.texts (game, name, version, text) VALUES (this.key, in_name, 1, in_text)
            ON CONFLICT (game, name) DO NOTHING;
    ELSE
        UPDATE adjutant.texts x SET version = seen + 1, text = in_text
            WHERE x.game = this.key AND x.name = in_name AND x.version = seen;
    END IF;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    IF in_key IS NOT NULL THEN
        PERFORM adjutant.remember(
            this.key, in_player, in_key, in_fingerprint, in_answer, overhead, lifetime);
    END IF;
    PERFORM pg_notify('adjutant', in_id || ' ' || this.last || E' text\n');
    RETURN seen + 1;
END $$;
