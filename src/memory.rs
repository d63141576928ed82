//! Memory of WebAssembly.

/// Has the memory grow at once by so many bytes, if it has no such room. By itself, the allocator of WebAssembly lets it
/// grow by what is asked of it, in thousands of steps of 64 KB, and for each of them V8 collects garbage.
pub fn make_room(bytes: u64) {
    let mut room: Vec<u8> = Vec::new();
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    if room.try_reserve_exact(bytes).is_ok() {
        // Memory that nobody uses would not be asked for.
        std::hint::black_box(&mut room);
    }
}
