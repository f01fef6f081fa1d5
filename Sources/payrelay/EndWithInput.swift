import Foundation

/// Ends this process at once when its standard input ends: a server that was started for a load test must not outlive it,
/// not even where that is killed and can tell nobody.
func endWithInput() {
    let reader = Thread {
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 || (count < 0 && errno == EINTR) else { _exit(0) }
        }
    }
    reader.start()
}
