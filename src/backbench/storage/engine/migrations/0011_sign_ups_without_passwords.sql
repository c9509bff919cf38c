-- The password of a sign-up no longer counts: anybody can sign up with anybody's address. An account that was never
-- verified gets the password that is sent together with the link of its email.
UPDATE accounts SET password_hash = NULL
WHERE email_verified_at IS NULL AND last_login_at IS NULL AND status IN ('pending', 'suspended');
