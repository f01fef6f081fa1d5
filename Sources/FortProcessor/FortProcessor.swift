// FortProcessor
