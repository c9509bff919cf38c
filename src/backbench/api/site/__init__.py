"""The site: the web app, the pages of emailed links and their files."""
