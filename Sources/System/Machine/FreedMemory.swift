#if os(Linux)
internal import CMalloc
#endif

/// The memory that the process has freed.
package enum FreedMemory {
    /// Keeps freed memory for the next allocations.
    ///
    /// A server's requests allocate the same memory again and again; giving it back to the system after each, and taking
    /// it anew, is an eighth of the server's processor time. Blocks of 4 MiB and more are still given back.
    package static func keep() {
        #if os(Linux)
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 64 << 20)
        mallopt(M_TOP_PAD, 256 << 10)
        #endif
    }
}
