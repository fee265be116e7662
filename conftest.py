"""Every run of pytest in this repository compares notebooks strictly."""

pytest_plugins = ["strict_nbval"]
