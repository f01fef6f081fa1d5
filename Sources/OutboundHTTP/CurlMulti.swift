import CCurl

/// libcurl's multi handle: the connections kept alive and the transfers that run over them.
///
/// `@unchecked Sendable` is safe because the pointer never changes, `wakeUp` may be called from any thread (libcurl's
/// promise for `curl_multi_wakeup`) and everything else is called by the one thread that runs the loop, or, on freeing it, by whoever lets go of it last.
final class CurlMulti: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    /// libcurl wants to be initialized once per process, before anything else.
    private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// - Parameter keptConnections: how many connections to keep. libcurl counts those in use as well, so fewer than
    ///   are in flight at once would mean a new connection for nearly every request.
    init(keptConnections: Int) {
        guard Self.isInitialized, let handle = curl_multi_init() else {
            // Nothing can be sent without it, and it fails only where memory runs out; Swift itself ends there too.
            fatalError("libcurl could not be initialized")
        }
        self.handle = handle
        // Zero would let libcurl choose. There is no limit on open connections: a transfer that waits for one would
        // escape its timeouts in some versions of libcurl. The limit on requests in flight bounds them.
        payrelay_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, max(1, keptConnections))
    }

    deinit { curl_multi_cleanup(handle) }

    /// Ends the present or the next `wait`.
    func wakeUp() {
        curl_multi_wakeup(handle)
    }

    /// Starts a transfer. The handle must be removed before it is freed.
    func add(_ easy: CurlEasy) -> CURLMcode {
        curl_multi_add_handle(handle, easy.handle)
    }

    /// Takes a transfer out, ended or not. libcurl calls none of its callbacks afterwards.
    func remove(_ easy: CurlEasy) {
        curl_multi_remove_handle(handle, easy.handle)
    }

    /// Does all work that can be done without waiting.
    func perform() -> CURLMcode {
        var running: Int32 = 0
        return curl_multi_perform(handle, &running)
    }

    /// Sleeps until a connection is ready, a timeout is due or `wakeUp` is called.
    func wait() -> CURLMcode {
        let millisecondsMax: Int32 = 60_000
        return curl_multi_poll(handle, nil, 0, millisecondsMax, nil)
    }

    /// The next transfer that has ended by itself, and how.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(handle, &left) {
            if message.pointee.msg == CURLMSG_DONE {
                return (message.pointee.easy_handle, message.pointee.data.result)
            }
        }
        return nil
    }
}
