create table sailings (
  id          bigint generated always as identity primary key,
  origin      text not null,
  destination text not null,
  departs_at  timestamp not null,          -- local to the origin port
  zone        text not null,               -- IANA zone of the origin port
  passengers  integer not null,
  cars        integer not null
);

create table bookings (
  reference   text primary key,
  sailing_id  bigint not null references sailings,
  state       text not null check (state in ('held', 'paid', 'cancelled')),
  passengers  integer not null,
  cars        integer not null default 0,
  amount      integer not null,            -- cents
  held_at     timestamptz not null default now()
);
