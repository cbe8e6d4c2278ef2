import DeviceHost
import DeviceProfiles
import Documents
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing

@testable import ControlAPI

/// Simultaneous requests to the devices of a server.
@Suite struct FleetTests {
    private static let rounds = 20

    /// A fleet with a control directory of its own, for as long as `use` works with it.
    private func run(_ use: (Fleet, DeviceSocketDirectory, DeviceStartRequest) async throws -> Void) async throws {
        try await Control.run { control in
            var configuration = control.configuration
            configuration.directory = DeviceSocketDirectory(path: control.configuration.directory.path + "/fleet")
            let fleet = Fleet(configuration: configuration, journal: EventJournal(capacity: 100))
            var order = DeviceStartRequest(profile: try configuration.profiles.profile("iphone-face-id"))
            order.name = "phone"
            do {
                try await use(fleet, configuration.directory, order)
            } catch {
                await fleet.stopAll()
                throw error
            }
            await fleet.stopAll()
        }
    }

    @Test("One of many requests for the same name succeeds")
    func nameBelongsToOneDevice() async throws {
        try await run { fleet, directory, order in
            let made = await withTaskGroup { group in
                for _ in 1...10 { group.addTask { (try? await fleet.start(order)) != nil } }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(made == 1)
            #expect(directory.names() == ["phone"])
        }
    }

    @Test("The name of a stopped device is free once its socket is closed")
    func nameIsFreeAfterDeletion() async throws {
        try await run { fleet, directory, order in
            for _ in 1...Self.rounds {
                _ = try await fleet.start(order)
                async let stopping: Void = fleet.stop("phone")
                let next = Task {
                    while true {
                        if let device = try? await fleet.start(order) { return device }
                        await Task.yield()
                    }
                }
                try await stopping
                let device = await next.value
                #expect(await fleet.isRunning(device))
                let status = try await DeviceSocketClient(directory: directory).send(.status, to: "phone").status
                #expect(status.name == "phone")
                try await fleet.stop("phone")
            }
        }
    }

    @Test("A stopped server leaves no device, not even a starting one")
    func stoppedServerLeavesNoDevice() async throws {
        for round in 1...Self.rounds {
            try await run { fleet, directory, order in
                let start = Task { try await fleet.start(order) }
                // In each round the server stops at a later point of the start.
                for _ in 1...round * round { await Task.yield() }
                await fleet.stopAll()
                _ = await start.result
                #expect(await fleet.all.isEmpty)
                #expect(directory.names().isEmpty)
                await #expect(throws: (any Error).self) { try await fleet.start(order) }
            }
        }
    }

    @Test("If two accounts are opened at the same time with one device, one of them succeeds")
    func deviceJoinsOneAccount() async throws {
        try await run { fleet, _, order in
            let phone = try await fleet.start(order)
            for _ in 1...Self.rounds {
                let opened = await withTaskGroup { group in
                    for name in ["x", "y", "x"] {
                        group.addTask { (try? await fleet.open(name, delay: .zero, members: [phone])) != nil }
                    }
                    return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(opened == 1)
                let accounts = await fleet.allAccounts
                #expect(accounts.count == 1)
                let account = try #require(accounts.first)
                #expect(await fleet.members(of: account.name) == ["phone"])
                #expect(await account.hasMember(phone.host.device))
                try await fleet.close(account.name)
                #expect(await !account.hasMember(phone.host.device))
            }
        }
    }

    @Test("When one device cannot join an account, the others can join another one")
    func failedAccountReleasesItsDevices() async throws {
        try await run { fleet, _, order in
            let phone = try await fleet.start(order)
            var other = DeviceStartRequest(
                profile: try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).profile(
                    "solo-1"))
            other.name = "key"
            let key = try await fleet.start(other)
            await #expect(throws: (any Error).self) {
                try await fleet.open("icloud", delay: .zero, members: [phone, key])
            }
            #expect(await fleet.members(of: "icloud").isEmpty)
            try await fleet.open("icloud", delay: .zero, members: [phone, phone])
            #expect(await fleet.members(of: "icloud") == ["phone"])
            try await fleet.stop("phone")
            #expect(await fleet.members(of: "icloud").isEmpty)
            let gone = phone
            await #expect(throws: (any Error).self) { try await fleet.open("next", delay: .zero, members: [gone]) }
        }
    }

    @Test("A device that replaces another one joins its account, unless it belongs to another account")
    func replacementJoinsAccountOfReplacedDevice() async throws {
        try await run { fleet, _, order in
            var devices: [ManagedDevice] = []
            for name in ["a", "b", "c"] {
                var named = order
                named.name = name
                devices.append(try await fleet.start(named))
            }
            let (old, new, other) = (devices[0], devices[1], devices[2])
            try await fleet.open("first", delay: .zero, members: [old])
            try await fleet.open("second", delay: .zero, members: [other])
            await #expect(throws: (any Error).self) { try await fleet.replace(old, by: other) }
            #expect(await fleet.members(of: "first") == ["a"])
            try await fleet.replace(old, by: new)
            #expect(await fleet.members(of: "first") == ["b"])
            #expect(await fleet.members(of: "second") == ["c"])
        }
    }

    @Test("A device without a chosen name gets one that no device of another process has")
    func namesOfOtherProcessesAreAvoided() async throws {
        try await Control.run { first in
            try await first.post("/v1/devices", ["profile": "iphone-face-id"])
            try await Control.run(configure: { $0.directory = first.configuration.directory }) { second in
                let chosen = try await second.post(
                    "/v1/devices", ["profile": "iphone-face-id", "name": "iphone-face-id"])
                #expect(chosen.code == "device.nameTaken")
                for number in 2...3 {
                    let other = try await second.post("/v1/devices", ["profile": "iphone-face-id"])
                    #expect(other.status == 201)
                    #expect(other.json["status"]?["name"]?.text == "iphone-face-id-\(number)")
                }
            }
        }
    }
}
