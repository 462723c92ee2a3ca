"""What other implementations did, compared with ours."""
