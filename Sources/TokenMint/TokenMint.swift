// TokenMint
