alter table sailings add column deck_metres numeric(6, 1) not null default 0;
alter table bookings add column deck_metres numeric(5, 1) not null default 0;

update sailings set deck_metres = cars * 5;
update bookings set deck_metres = cars * 5;
