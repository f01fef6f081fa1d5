// FortAPI
