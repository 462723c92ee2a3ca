"""Tests, one folder per layer; a package so that they can share their generators and guards."""
