-- Two roles. The owner owns the tables and runs `processual migrate`; the nodes write rows, and can neither
-- create nor drop a table. Run it as a superuser in the database of the identities, with the passwords:
--   psql --set owner_password=… --set app_password=… --file roles.sql

create role processual_owner login password :'owner_password';
create role processual_app login password :'app_password';

select format('grant connect, create on database %I to processual_owner', current_database()) \gexec
select format('grant connect on database %I to processual_app', current_database()) \gexec
select format('revoke connect, temporary on database %I from public', current_database()) \gexec

-- The nodes may use what the owner creates.
alter default privileges for role processual_owner grant usage on schemas to processual_app;
alter default privileges for role processual_owner grant select, insert, update, delete on tables to processual_app;
alter default privileges for role processual_owner grant usage on sequences to processual_app;

-- The limits are settings of the role, since a connection pooler drops the settings of a connection.
alter role processual_app set statement_timeout = '2500ms';
alter role processual_app set lock_timeout = '2s';
alter role processual_app set idle_in_transaction_session_timeout = '2s';
