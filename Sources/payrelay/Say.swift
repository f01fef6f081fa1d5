import Foundation

/// Prints a line at once: `print` keeps text back while standard output is no terminal, and a script that reads the first
/// line of a server's output would wait for ever.
func say(_ line: String = "") {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
