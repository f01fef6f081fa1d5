import CLoad
import Foundation
import Measuring
import TestPrograms

/// An nginx process of the benchmark, in a temporary folder.
@MainActor final class Nginx {
    /// The task of nginx for every request.
    enum Task {
        /// Passes the request on, over connections that are kept alive.
        case pass(to: UInt16)
        /// Answers the request with this JSON.
        case answer(String)
    }

    let server: Server
    let port = load_free_port()
    private let folder: TemporaryFolder

    init(_ task: Task) throws {
        folder = try TemporaryFolder()
        try Self.configuration(task, port: port, isRoot: getuid() == 0)
            .write(toFile: folder.path("nginx.conf"), atomically: true, encoding: .utf8)
        // Debian installs nginx in a folder that is only in root's `PATH`.
        let program = ["/usr/sbin/nginx", "/usr/local/sbin/nginx"].first(where: FileManager.default.isExecutableFile)
        server = try Server(
            [program ?? "nginx", "-p", folder.url.path, "-c", "nginx.conf", "-e", folder.path("errors")],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], probe: (port: port, path: "/alive"))
    }

    private static func configuration(_ task: Task, port: UInt16, isRoot: Bool) -> String {
        let (upstream, location) =
            switch task {
            case .pass(let target):
                (
                    "upstream fort { server 127.0.0.1:\(target); keepalive 128; keepalive_requests 1000000; }",
                    // Without this header, nginx would query the sandbox under the upstream's name.
                    #"proxy_pass http://fort; proxy_http_version 1.1; proxy_set_header Connection ""; "#
                        + "proxy_set_header Host 127.0.0.1;"
                )
            case .answer(let json): ("", "return 200 '\(json)';")
            }
        return """
            \(isRoot ? "user root;" : "")
            daemon off;
            worker_processes 2;
            pid nginx.pid;
            events { worker_connections 4096; }
            http {
                access_log off;
                default_type application/json;
                keepalive_requests 1000000;
                client_body_buffer_size 256k;
                \(["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \($0);" }.joined(separator: " "))
                \(upstream)
                server {
                    listen 127.0.0.1:\(port);
                    location = /alive { return 200; }
                    location / { \(location) }
                }
            }
            """
    }
}
