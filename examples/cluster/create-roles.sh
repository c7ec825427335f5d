#!/bin/sh
# Runs once, when PostgreSQL's volume is new: the two roles, with the passwords of the environment.
set -eu
psql --username postgres --dbname processual --set ON_ERROR_STOP=1 \
	--set owner_password="$OWNER_PASSWORD" --set app_password="$APP_PASSWORD" \
	--file /etc/processual/roles.sql
