internal import CTAP
internal import Causes

/// A large-blob array that is being written, fragment by fragment (CTAP 2.3 §6.10.2).
struct PendingLargeBlobWrite: Sendable {
    let expectedLength: Int
    var bytes: [UInt8] = []
}

extension VirtualAuthenticator {
    /// The bytes of large blobs that fit in one message (CTAP 2.3 §6.10.2, maxFragmentLength).
    private var maxFragmentLength: Int { configuration.maxMsgSize - 64 }

    /// authenticatorLargeBlobs (CTAP 2.3 §6.10.2): reads or writes a part of the serialized large-blob array.
    func largeBlobs(
        _ request: LargeBlobsRequest, capacity: Int, _ context: CommandContext
    ) throws(Refusal) -> LargeBlobsResponse {
        guard let offset = request.offset else { throw context.refusal(.invalidParameter, .offsetMissing) }
        switch (request.get, request.set) {
        case (let count?, nil): return try readLargeBlobs(request, count: count, offset: offset, context)
        case (nil, let fragment?):
            try writeLargeBlobs(request, fragment, offset: offset, capacity: capacity, context)
            return LargeBlobsResponse()
        default: throw context.refusal(.invalidParameter, .neitherOrBothOfGetAndSet)
        }
    }

    private func readLargeBlobs(
        _ request: LargeBlobsRequest, count: Int, offset: Int, _ context: CommandContext
    ) throws(Refusal) -> LargeBlobsResponse {
        try require(request.length == nil, else: context.refusal(.invalidParameter, .lengthWithGet))
        try require(
            request.pinUvAuthParam == nil && request.pinUvAuthProtocol == nil,
            else: context.refusal(.invalidParameter, .pinUvAuthWithGet))
        try require(count <= maxFragmentLength, else: context.refusal(.invalidLength, .fragmentTooLong))
        try require(offset <= state.largeBlobs.count, else: context.refusal(.invalidParameter, .offsetBeyondEnd))
        return LargeBlobsResponse(config: Array(state.largeBlobs.dropFirst(offset).prefix(count)))
    }

    private func writeLargeBlobs(
        _ request: LargeBlobsRequest, _ fragment: [UInt8], offset: Int, capacity: Int, _ context: CommandContext
    ) throws(Refusal) {
        try require(fragment.count <= maxFragmentLength, else: context.refusal(.invalidLength, .fragmentTooLong))
        var write: PendingLargeBlobWrite
        if offset == 0 {
            guard let length = request.length else { throw context.refusal(.invalidParameter, .lengthMissing) }
            try require(length <= capacity, else: context.refusal(.largeBlobStorageFull, .storageFull))
            try require(
                length >= SerializedLargeBlobArray.minimumLength,
                else: context.refusal(.invalidParameter, .lengthTooSmall))
            write = PendingLargeBlobWrite(expectedLength: length)
        } else {
            try require(request.length == nil, else: context.refusal(.invalidParameter, .lengthAfterFirstFragment))
            guard let pending = state.session.largeBlobWrite else {
                throw context.refusal(.invalidSequence, .offsetNotNext)
            }
            try require(pending.bytes.count == offset, else: context.refusal(.invalidSequence, .offsetNotNext))
            write = pending
        }
        if isProtectedByUserVerification || state.alwaysUV == true {
            try authorize(request, .largeBlobWrite, context)
        }
        try require(
            write.bytes.count + fragment.count <= write.expectedLength,
            else: context.refusal(.invalidParameter, .moreThanLength))
        write.bytes += fragment
        guard write.bytes.count == write.expectedLength else {
            state.session.largeBlobWrite = write
            return
        }
        state.session.largeBlobWrite = nil
        try require(
            SerializedLargeBlobArray.isIntact(write.bytes), else: context.refusal(.integrityFailure, .checksumWrong))
        state.largeBlobs = write.bytes
    }
}
