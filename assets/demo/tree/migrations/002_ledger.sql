create table ledger (
  id         bigint generated always as identity primary key,
  reference  text not null references bookings,
  kind       text not null check (kind in ('charge', 'refund', 'fee')),
  amount     integer not null,             -- cents; refunds are negative
  provider   text not null,
  created_at timestamptz not null default now()
);

create rule ledger_no_update as on update to ledger do instead nothing;
create rule ledger_no_delete as on delete to ledger do instead nothing;
