"""What the browser's pages are made of: files, texts, languages, and pages without scripts."""
