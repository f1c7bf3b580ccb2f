-- What RUM remembers of the sample project. The database is written from this script when the
-- project is laid out; `@{ms:3}` is the moment three days ago, in milliseconds.

CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL CHECK (type IN ('main', 'subagent')),
  parent_id TEXT REFERENCES agents(id),
  project_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_active_at INTEGER NOT NULL,
  session_count INTEGER DEFAULT 1,
  memory_count INTEGER DEFAULT 0,
  success_count INTEGER DEFAULT 0,
  failure_count INTEGER DEFAULT 0,
  specialization TEXT,
  capabilities JSON,
  metadata JSON
);
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES agents(id),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  memories_created INTEGER DEFAULT 0,
  queries_made INTEGER DEFAULT 0,
  initial_intent TEXT,
  final_outcome TEXT
);
CREATE TABLE memories (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES agents(id),
  project_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  intent_goal TEXT NOT NULL,
  intent_type TEXT NOT NULL,
  outcome_success INTEGER NOT NULL,
  outcome_summary TEXT,
  intent JSON NOT NULL,
  perception JSON,
  reasoning JSON,
  actions JSON,
  outcome JSON NOT NULL,
  tags JSON DEFAULT '[]',
  importance REAL DEFAULT 0.5,
  access_count INTEGER DEFAULT 0,
  last_accessed INTEGER,
  embedding BLOB
);
CREATE TABLE memory_files (
  memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  file_path TEXT NOT NULL,
  operation TEXT NOT NULL,
  PRIMARY KEY (memory_id, file_path)
);
CREATE TABLE memory_links (
  id TEXT PRIMARY KEY,
  source_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  target_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  link_type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (source_id, target_id, link_type)
);
CREATE TABLE chapters (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  title TEXT,
  summary TEXT NOT NULL,
  learnings JSON,
  start_ts INTEGER NOT NULL,
  end_ts INTEGER NOT NULL,
  tags JSON DEFAULT '[]',
  topics JSON DEFAULT '[]',
  origin TEXT NOT NULL CHECK (origin IN ('manual', 'auto'))
);
CREATE TABLE chapter_memories (
  chapter_id TEXT NOT NULL REFERENCES chapters(id) ON DELETE CASCADE,
  memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  position INTEGER,
  PRIMARY KEY (chapter_id, memory_id)
);
CREATE TABLE wisdom (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  summary TEXT NOT NULL,
  insights JSON,
  patterns JSON,
  best_practices JSON,
  tags JSON DEFAULT '[]',
  start_ts INTEGER NOT NULL,
  end_ts INTEGER NOT NULL
);
CREATE TABLE wisdom_chapters (
  wisdom_id TEXT NOT NULL REFERENCES wisdom(id) ON DELETE CASCADE,
  chapter_id TEXT NOT NULL REFERENCES chapters(id) ON DELETE CASCADE,
  PRIMARY KEY (wisdom_id, chapter_id)
);

INSERT INTO agents (id, type, parent_id, project_id, created_at, last_active_at, memory_count, success_count, failure_count) VALUES
  ('agent_main', 'main', NULL, 'tideline', @{ms:40}, @{ms:1}, 4, 3, 1),
  ('agent_tests', 'subagent', 'agent_main', 'tideline', @{ms:30}, @{ms:6}, 2, 2, 0);
INSERT INTO sessions (id, agent_id, started_at, ended_at, memories_created, initial_intent, final_outcome) VALUES
  ('session_payments', 'agent_main', @{ms:12}, @{ms:9}, 4, 'Stop charging guests twice', 'Retries carry the key of the booking'),
  ('session_tests', 'agent_tests', @{ms:7}, @{ms:6}, 2, 'Make the tests of holds steady', 'The clock is frozen');

INSERT INTO memories (id, agent_id, project_id, session_id, created_at, intent_goal, intent_type, outcome_success, outcome_summary, intent, perception, reasoning, actions, outcome, tags, importance, access_count) VALUES
  ('mem_double-charge', 'agent_main', 'tideline', 'session_payments', @{ms:12},
   'Find out why guests are charged twice', 'investigation', 1, 'A retry after a timeout makes a second charge',
   '{"goal":"Find out why guests are charged twice","task_type":"investigation","context":"Three complaints in a week, all after slow answers of Paylane","constraints":["No live cards"]}',
   '{"observations":[{"what":"The retry sends no idempotency key","where":"src/payments/paylane.ts","significance":"The provider takes it for another charge"}],"relevant_files":[{"path":"src/payments/paylane.ts","relevance":"sends the charge","state_summary":"retries twice after 10 s"}],"patterns_noticed":["All of them after a timeout"],"anomalies":[]}',
   '{"approach_chosen":"Replay one complaint in the sandbox","why_chosen":"The logs name the booking, not the charge","alternatives_considered":[{"approach":"Ask the provider","why_rejected":"It takes days"}],"assumptions":["The sandbox times out as the live system does"],"risks_identified":[]}',
   '[{"type":"file_read","file_path":"src/payments/paylane.ts"},{"type":"command_run","command":"npm test -- payments","result":{"success":true,"output_summary":"12 passed"}}]',
   '{"success":true,"summary":"A retry after a timeout makes a second charge","learnings":["A timeout says nothing about whether the charge was made"],"follow_up_needed":["Send the key of the booking with every retry"]}',
   '["payments","retries"]', 0.8, 6),
  ('mem_retry-once', 'agent_main', 'tideline', 'session_payments', @{ms:11},
   'Retry a charge only once', 'bug_fix', 0, 'Fewer double charges, but still some',
   '{"goal":"Retry a charge only once","task_type":"bug_fix","context":"The quick way while the key is discussed"}',
   NULL, NULL,
   '[{"type":"file_edit","details":{"file_path":"src/payments/paylane.ts","diff_summary":"two retries became one"},"result":{"success":true}}]',
   '{"success":false,"summary":"Fewer double charges, but still some","failure_reason":"One retry is one too many","failure_category":"incorrect_assumption"}',
   '["payments","retries"]', 0.3, 1),
  ('mem_idempotency', 'agent_main', 'tideline', 'session_payments', @{ms:10},
   'Send an idempotency key with every charge', 'bug_fix', 1, 'A retry returns the first charge',
   '{"goal":"Send an idempotency key with every charge","task_type":"bug_fix","context":"Guests were charged twice","constraints":["The key outlives a restart"]}',
   '{"observations":[{"what":"The booking has a reference from the start","where":"src/bookings/routes.ts","significance":"It can be the key"}],"relevant_files":[],"patterns_noticed":[],"anomalies":[]}',
   '{"approach_chosen":"Use the reference of the booking as the key","why_chosen":"It is stored before the charge is sent","alternatives_considered":[{"approach":"A random key for each request","why_rejected":"A restart would forget it"}],"assumptions":[],"risks_identified":["A second charge for one booking needs another key"]}',
   '[{"type":"file_edit","file_path":"src/payments/paylane.ts","lines_affected":"31-52","diff_summary":"the key goes along"},{"type":"file_create","file_path":"tests/webhook.test.ts"}]',
   '{"success":true,"summary":"A retry returns the first charge","learnings":["Should a booking be charged twice on purpose, add a counter to the key"],"verified_by":{"type":"test","command":"npm test -- webhook","result":"4 passed"}}',
   '["payments","retries"]', 0.9, 11),
  ('mem_sandbox-slow', 'agent_main', 'tideline', 'session_payments', @{ms:9},
   'Make the Paylane sandbox answer slowly', 'configuration', 1, 'The header x-delay-ms delays any answer',
   '{"goal":"Make the Paylane sandbox answer slowly","task_type":"configuration"}',
   NULL, NULL, NULL,
   '{"success":true,"summary":"The header x-delay-ms delays any answer","learnings":["Prefer the delay of the sandbox to a fake clock for timeouts"]}',
   '["payments","testing"]', 0.5, 2),
  ('mem_frozen-clock', 'agent_tests', 'tideline', 'session_tests', @{ms:7},
   'Freeze the clock in tests of holds', 'test_write', 1, 'No more failures around midnight',
   '{"goal":"Freeze the clock in tests of holds","task_type":"test_write","context":"Tests of holds failed between 23:50 and 00:10"}',
   NULL,
   '{"approach_chosen":"Hand the clock in","why_chosen":"Fake timers stop the database driver too"}',
   '[{"type":"file_edit","file_path":"tests/holds.test.ts","diff_summary":"the clock is a value"}]',
   '{"success":true,"summary":"No more failures around midnight","learnings":["Never read the clock inside a query"]}',
   '["testing"]', 0.6, 0),
  ('mem_slow-suite', 'agent_tests', 'tideline', 'session_tests', @{ms:6},
   'Find what makes the suite slow', 'optimization', 1, 'Each file migrates the database anew',
   '{"goal":"Find what makes the suite slow","task_type":"optimization"}',
   NULL, NULL, '[{"type":"command_run","command":"npm test -- --verbose","result":{"success":true,"duration_ms":184000}}]',
   '{"success":true,"summary":"Each file migrates the database anew","follow_up_needed":["Migrate once and copy"]}',
   '["testing"]', 0.4, 0);
INSERT INTO memory_files VALUES
  ('mem_double-charge', 'src/payments/paylane.ts', 'file_read'),
  ('mem_retry-once', 'src/payments/paylane.ts', 'file_edit'),
  ('mem_idempotency', 'src/payments/paylane.ts', 'file_edit'),
  ('mem_idempotency', 'tests/webhook.test.ts', 'file_create'),
  ('mem_frozen-clock', 'tests/holds.test.ts', 'file_edit');
INSERT INTO memory_links VALUES
  ('link_1', 'mem_retry-once', 'mem_double-charge', 'caused_by', @{ms:11}),
  ('link_2', 'mem_idempotency', 'mem_double-charge', 'caused_by', @{ms:10}),
  ('link_3', 'mem_idempotency', 'mem_retry-once', 'supersedes', @{ms:10}),
  ('link_4', 'mem_sandbox-slow', 'mem_idempotency', 'related_to', @{ms:9});
INSERT INTO chapters VALUES
  ('chapter_charges', 'tideline', @{ms:8}, @{ms:8}, 'Guests were charged twice',
   'A retry after a timeout charged a second time. Fewer retries did not help; a key that is stored before the charge does.',
   '["A timeout says nothing about whether the charge was made","Should a booking be charged twice on purpose, add a counter to the key"]',
   @{ms:12}, @{ms:9}, '["payments"]', '["retries"]', 'manual');
INSERT INTO chapter_memories VALUES
  ('chapter_charges', 'mem_double-charge', 0),
  ('chapter_charges', 'mem_retry-once', 1),
  ('chapter_charges', 'mem_idempotency', 2);
INSERT INTO wisdom VALUES
  ('wisdom_retries', 'tideline', @{ms:5}, @{ms:5},
   'What is retried needs a name that was stored before the first try',
   '["Less of a wrong thing is still wrong"]', '["retries"]', '["Store the key, then send"]', '["payments"]', @{ms:12}, @{ms:9});
INSERT INTO wisdom_chapters VALUES ('wisdom_retries', 'chapter_charges');
