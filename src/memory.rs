//! WebAssembly memory.

/// Grows the memory in one step if it has no room for `bytes`. The allocator would grow it by each
/// allocation, in thousands of steps of 64 KB, and V8 collects garbage at each of them.
pub fn make_room(bytes: u64) {
    let mut room: Vec<u8> = Vec::new();
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    if room.try_reserve_exact(bytes).is_ok() {
        // Without a use, the compiler removes the allocation.
        std::hint::black_box(&mut room);
    }
}
