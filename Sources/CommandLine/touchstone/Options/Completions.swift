import ArgumentParser
import Causes
import DeviceActs
import DeviceHost
import Documents
import Faults
import Foundation
import SimulatedDevice
internal import YAMLFiles

/// The words that a shell completes, as they are when the user presses Tab.
extension CompletionKind {
    static let profiles = words { prefix in names(.profile) + files(prefix) }
    static let scenarios = words { prefix in names(.scenario) + files(prefix) }
    static let relyingParties = words { prefix in names(.relyingParty) + files(prefix) }
    /// The selectors of keys.
    static let selectors = words { _ in
        ["usb", "nfc", "udp:127.0.0.1:8111", "hybrid:"] + names(.profile).map { "virtual:" + $0 }
    }
    /// The names of running devices.
    static let devices = words { _ in DeviceSocketDirectory.standard.names() }
    static let faults = words { _ in Fault.catalogue.map(\.name) + ["none"] }
    static let causes = words { _ in Cause.all.map(\.rawValue) }
    /// The acts of `device do`.
    static let deviceActs = words { _ in DeviceAct.vocabulary.filter { !$0.movesDocument }.map(\.word) }
    /// The acts of `device present`.
    static let userActs = words { _ in UserAct.vocabulary.map(\.word) }

    /// The words that begin with the typed text; bash shows every word that it gets.
    private static func words(_ all: @escaping @Sendable (_ prefix: String) -> [String]) -> CompletionKind {
        custom { _, _, prefix in all(prefix).filter { $0.hasPrefix(prefix) } }
    }

    private static func names(_ kind: ResourceLibrary.Kind) -> [String] {
        ((try? ResourceLibrary.standard(kind).files()) ?? []).map(ResourceName.name(ofFile:))
    }

    /// The YAML files and the folders beside a path.
    private static func files(_ prefix: String) -> [String] {
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        return entries.sorted().filter { !$0.hasPrefix(".") }.compactMap { entry in
            let path = folder + entry
            if ResourceFiles.isDirectory(path) { return path + "/" }
            return ResourceName.isYAML(entry) ? path : nil
        }
    }
}
