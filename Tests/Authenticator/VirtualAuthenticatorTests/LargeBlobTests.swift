import CBOR
import CTAP
import Testing
import VirtualAuthenticator

@Suite("Large blobs")
struct LargeBlobTests {
    /// A serialized array of this length without two equal fragments.
    static func array(_ length: Int) -> [UInt8] {
        let header = CBOR.encode(.array([.bytes([UInt8](repeating: 0, count: length - 20))])).count - (length - 20)
        let content = (0..<(length - 16 - header)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        return SerializedLargeBlobArray.serialize(CBOR.encode(.array([.bytes(content)])))
    }

    /// Writes an array in fragments, with codes if there is a token; returns the last answer.
    static func write(
        _ array: [UInt8], fragment: Int, _ bench: Bench, _ token: PINClient.Token? = nil
    ) async -> Told {
        var told = Told.ok
        for offset in stride(from: 0, to: array.count, by: fragment) where told == .ok {
            let part = Array(array[offset..<min(offset + fragment, array.count)])
            told = await bench.manage(
                LargeBlobsRequest(set: part, offset: offset, length: offset == 0 ? array.count : nil), token
            ).told
        }
        return told
    }

    static func stored(_ bench: Bench) async throws -> [UInt8] {
        try await bench.manage(LargeBlobsRequest(get: 4096, offset: 0)).blobs()
    }

    @Test func aNewKeyHoldsTheEmptyArray() async throws {
        let bench = try await Bench.complete()
        let stored = try await Self.stored(bench)
        #expect(stored.count == 17)
        #expect(stored == [0x80] + Array(Bench.sha256([0x80]).prefix(16)))
        #expect(await bench.option("largeBlobs") == true)
        #expect(await bench.info().maxSerializedLargeBlobArray == 4096)
    }

    @Test(arguments: [1, 16, 100, 999, 1000, 1001, 4096], PINUVAuthProtocol.allCases)
    func anArrayIsWrittenInFragmentsOfAnySize(fragment: Int, pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await bench.token(for: .largeBlobWrite, pinProtocol)
        let array = Self.array(1000)
        #expect(array.count == 1000)
        #expect(await Self.write(array, fragment: fragment, bench, token) == .ok)
        #expect(try await Self.stored(bench) == array)
        await bench.device.powerCycle()
        #expect(try await Self.stored(bench) == array)
    }

    @Test func anArrayIsReadInFragmentsWithoutAToken() async throws {
        let bench = try await Bench.complete(pin: true)
        let array = Self.array(600)
        #expect(await Self.write(array, fragment: 600, bench, try await bench.token(for: .largeBlobWrite)) == .ok)
        func read(_ count: Int, at offset: Int) async throws -> [UInt8] {
            try await bench.manage(LargeBlobsRequest(get: count, offset: offset)).blobs()
        }
        #expect(try await read(0, at: 0) == [])
        #expect(try await read(100, at: 100) == Array(array[100..<200]))
        #expect(try await read(100, at: 550) == Array(array[550...]))
        #expect(try await read(100, at: 600) == [])
        #expect(
            await bench.manage(LargeBlobsRequest(get: 1, offset: 601)).told
                == Told(.invalidParameter, "largeBlobs.offsetBeyondEnd"))
        #expect(await bench.send(.largeBlobs, [1: .unsigned(.max), 3: 0]).told.status == .invalidParameter)
        #expect(await bench.send(.largeBlobs, [1: 1, 3: .unsigned(.max)]).told.status == .invalidParameter)
    }

    @Test func anArrayBeyondTheCapacityIsRefused() async throws {
        let bench = try await Bench.complete()
        #expect(await Self.write(Self.array(4097), fragment: 4097, bench).status == .largeBlobStorageFull)
        #expect(await Self.write(Self.array(4096), fragment: 2000, bench) == .ok)
        #expect(try await Self.stored(bench).count == 4096)
        #expect(await Self.write(SerializedLargeBlobArray.initial, fragment: 17, bench) == .ok)
        #expect(try await Self.stored(bench).count == 17)
    }

    @Test func aFragmentIsLimitedByTheMessageSize() async throws {
        let bench = try await Bench.complete { $0.maxMsgSize = 1100 }
        let array = Self.array(2000)
        #expect(await Self.write(array, fragment: 1036, bench) == .ok)
        #expect(
            await bench.manage(LargeBlobsRequest(set: [UInt8](repeating: 0, count: 1037), offset: 0, length: 2000))
                .told == Told(.invalidLength, "largeBlobs.fragmentTooLong"))
        #expect(try await bench.manage(LargeBlobsRequest(get: 1036, offset: 0)).blobs() == Array(array.prefix(1036)))
        #expect(
            await bench.manage(LargeBlobsRequest(get: 1037, offset: 0)).told
                == Told(.invalidLength, "largeBlobs.fragmentTooLong"))
    }

    @Test func aFailedWriteLeavesTheStoredArrayUnchanged() async throws {
        let bench = try await Bench.complete()
        let array = Self.array(300)
        #expect(await Self.write(array, fragment: 300, bench) == .ok)
        var spoilt = Self.array(200)
        spoilt[10] ^= 1
        #expect(await Self.write(spoilt, fragment: 64, bench) == Told(.integrityFailure, "largeBlobs.checksumWrong"))
        #expect(try await Self.stored(bench) == array)
        // A failed write has ended.
        #expect(
            await bench.manage(LargeBlobsRequest(set: [1], offset: 200)).told
                == Told(.invalidSequence, "largeBlobs.offsetNotNext"))
        // An unfinished write ends with a new one, and with a power cycle.
        let next = Self.array(250)
        #expect(await bench.manage(LargeBlobsRequest(set: Array(next.prefix(100)), offset: 0, length: 250)).told == .ok)
        #expect(try await Self.stored(bench) == array)
        #expect(await bench.manage(LargeBlobsRequest(set: Array(next.prefix(50)), offset: 0, length: 250)).told == .ok)
        #expect(
            await bench.manage(LargeBlobsRequest(set: Array(next[100...]), offset: 100)).told.status
                == .invalidSequence)
        await bench.device.powerCycle()
        #expect(
            await bench.manage(LargeBlobsRequest(set: Array(next[50...]), offset: 50)).told.status
                == .invalidSequence)
        #expect(try await Self.stored(bench) == array)
        // Longer than announced.
        #expect(await bench.manage(LargeBlobsRequest(set: Array(next.prefix(200)), offset: 0, length: 250)).told == .ok)
        #expect(
            await bench.manage(LargeBlobsRequest(set: Array(next[..<51]), offset: 200)).told
                == Told(.invalidParameter, "largeBlobs.moreThanLength"))
        #expect(
            await bench.manage(LargeBlobsRequest(set: next + [0], offset: 0, length: 250)).told
                == Told(.invalidParameter, "largeBlobs.moreThanLength"))
        #expect(try await Self.stored(bench) == array)
    }

    @Test func aFragmentWithAWrongPinUvAuthParamDoesNotEndTheWrite() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await bench.token(for: .largeBlobWrite)
        let array = Self.array(100)
        let first = LargeBlobsRequest(set: Array(array.prefix(60)), offset: 0, length: 100)
        let second = LargeBlobsRequest(set: Array(array[60...]), offset: 60)
        #expect(await bench.manage(first, token).told == .ok)
        var forged = second
        forged.authenticate(token)
        forged.set?[0] ^= 1
        #expect(await bench.manage(forged).told == Told(.pinAuthInvalid, "largeBlobs.pinUvAuthParamInvalid"))
        #expect(await bench.manage(second).told == Told(.puatRequired, "largeBlobs.pinUvAuthParamMissing"))
        #expect(await bench.manage(second, token).told == .ok)
        #expect(try await Self.stored(bench) == array)
    }

    @Test func aTouchKeepsThePermissionToWriteLargeBlobs() async throws {
        let bench = try await Bench.complete(pin: true)
        _ = try await bench.discoverable(1, ["largeBlobKey": true])
        let token = try await bench.token(permissions: [.getAssertion, .largeBlobWrite])
        let got = try await bench.get {
            $0.authenticate(token)
            $0.extensions = ["largeBlobKey": true]
        }.got()
        #expect(got.response.largeBlobKey?.count == 32)
        #expect(await Self.write(Self.array(100), fragment: 100, bench, token) == .ok)
    }

    @Test func alwaysUvRequiresATokenEvenWithoutAPIN() async throws {
        let bench = try await Bench.complete { $0.alwaysUV = true }
        #expect(
            await Self.write(Self.array(100), fragment: 100, bench)
                == Told(.puatRequired, "largeBlobs.pinUvAuthParamMissing"))
        #expect(try await Self.stored(bench).count == 17)
    }

    @Test func aResetEmptiesTheArray() async throws {
        let bench = try await Bench.complete()
        #expect(await Self.write(Self.array(500), fragment: 500, bench) == .ok)
        #expect(await bench.send(.reset).told == .ok)
        #expect(try await Self.stored(bench) == SerializedLargeBlobArray.initial)
    }
}
