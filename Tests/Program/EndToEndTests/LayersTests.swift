import Foundation
import TestPrograms
import Testing

/// Checks the imports of every source file: a layer imports only the layers below it.
@Suite struct LayersTests {
    /// The layers that each layer may import, apart from itself.
    private static let mayImport: [String: Set<String>] = [
        "Foundations": [],
        "Token": ["Foundations"],
        "Core": ["Token", "Foundations"],
        "Journals": ["Core", "Foundations"],
        "Server": ["Core", "Token", "Foundations"],
        // No gateway knows another one. What they share is in the kit.
        "Gateways/Kit": ["Server", "Core", "Token", "Foundations"],
        "Gateways/Fort": ["Gateways/Kit", "Server", "Core", "Token", "Foundations"],
        "Gateways/Portmone": ["Gateways/Kit", "Server", "Core", "Token", "Foundations"],
        "Clients": ["Foundations"],
        "Program": [
            "Gateways/Kit", "Gateways/Fort", "Gateways/Portmone", "Server", "Journals", "Core", "Token", "Foundations",
        ],
    ]

    @Test("No layer imports from one above it, or beside it")
    func arrowsGoDown() throws {
        let sources = Project.url("Sources")
        let manager = FileManager.default
        // The layer `Gateways` has a folder for each gateway.
        let layers = try manager.contentsOfDirectory(atPath: sources.path).flatMap { layer in
            guard layer == "Gateways" else { return [layer] }
            return try manager.contentsOfDirectory(atPath: sources.appending(path: layer).path).map { "\(layer)/\($0)" }
        }
        #expect(Set(layers) == Set(Self.mayImport.keys))
        var layerOf: [String: String] = [:]
        for layer in layers {
            for target in try manager.contentsOfDirectory(atPath: sources.appending(path: layer).path) {
                layerOf[target] = layer
            }
        }
        // A file in an unknown folder would not be checked.
        #expect(layerOf.count > 30)
        var wrong: Set<String> = []
        for (target, layer) in layerOf {
            let folder = sources.appending(path: layer).appending(path: target)
            for file in try manager.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                for match in text.matches(of: /(?m)^(?:public |package )?import (?:\w+ )?(\w+)/) {
                    guard let other = layerOf[String(match.1)], other != layer else { continue }
                    if Self.mayImport[layer]?.contains(other) != true { wrong.insert("\(target): \(match.1)") }
                }
            }
        }
        #expect(wrong.sorted() == [])
    }
}
