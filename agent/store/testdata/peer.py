"""What the reference's own session store says of a database: argv[1] is the
command, argv[2] the file."""
import json
import pathlib
import sys

from hermes_state import SessionDB

command, path = sys.argv[1], pathlib.Path(sys.argv[2])
db = SessionDB(path)
if command == "write":
    db.create_session("ref", "cli", model="m", model_config={"max_tokens": None}, cwd="/tmp")
    for m in json.load(sys.stdin if len(sys.argv) < 4 else open(sys.argv[3])):
        role = m.pop("role")
        db.append_message("ref", role, **m)
    db.set_session_title("ref", "Of the reference")
    db.update_system_prompt("ref", "You are a test.")
elif command == "read":
    out = {
        "sessions": [{k: s[k] for k in ("id", "title", "preview", "message_count", "tool_call_count", "input_tokens", "cwd")}
                     for s in db.list_sessions_rich()],
        "messages": db.get_messages_as_conversation(sys.argv[3]),
        "found": [h["id"] for h in db.search_messages(sys.argv[4])],
        "resolved": db.resolve_session_by_title("Of ours"),
        "prompt": db.get_session(sys.argv[3])["system_prompt"],
    }
    print(json.dumps(out))
elif command == "append":
    for i in range(int(sys.argv[4])):
        db.append_message(sys.argv[3], "user", content="python %d" % i)
elif command == "check":
    bad = [r[0] for r in db._conn.execute("PRAGMA integrity_check") if r[0] != "ok"]
    bad += [str(tuple(r)) for r in db._conn.execute("PRAGMA foreign_key_check")]
    for table in ("messages_fts", "messages_fts_trigram"):
        db._conn.execute("INSERT INTO %s(%s) VALUES ('integrity-check')" % (table, table))
    print(json.dumps(bad))
db.close()
