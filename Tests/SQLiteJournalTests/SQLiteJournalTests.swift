import Testing
@testable import SQLiteJournal
