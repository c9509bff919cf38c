-- Usable from 23.
-- The number of an estimate's documents without regard to case, as name_folded: databases fold ASCII letters only. NULL
-- until a version that knows the column writes the number; such numbers are searched as before.
ALTER TABLE estimates ADD COLUMN number_folded TEXT;
