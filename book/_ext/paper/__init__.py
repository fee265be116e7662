"""The book on paper: PDFs of the built pages, by `make pdf`."""
