-- Usable from 23.
-- What can be read in two ways in a file, cells that are left out, rows that may be of customers who exist, and the
-- program that wrote the file. Lists are JSON.
ALTER TABLE imports ADD COLUMN questions TEXT NOT NULL DEFAULT '[]';
ALTER TABLE imports ADD COLUMN notes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE imports ADD COLUMN duplicates TEXT NOT NULL DEFAULT '[]';
ALTER TABLE imports ADD COLUMN program TEXT;
