-- Waits while another transaction writes tokens.
create index made_while_running on api_tokens (name);
