//! Lists of bytes that grow together: chunks of one buffer, which is filled again and again.

/// Bytes of a chunk: two lines of cache.
const CHUNK_BYTES: usize = 128;

/// The last bytes of a chunk are the number of the next one.
const LINK_BYTES: usize = 4;
const FULL: usize = CHUNK_BYTES - LINK_BYTES;

pub(super) struct Lists {
    chunks: Vec<u8>,
    lists: Vec<List>,
    bytes: usize,
}

#[derive(Clone, Copy)]
struct List {
    /// Chunks by their number.
    first: u32,
    last: u32,
    /// Bytes in the last chunk; a list that has none seems full.
    used: u32,
}

const EMPTY: List = List { first: u32::MAX, last: 0, used: FULL as u32 };

impl Lists {
    pub(super) fn new(count: usize) -> Self {
        Lists { chunks: Vec::new(), lists: vec![EMPTY; count], bytes: 0 }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn append(&mut self, list: usize, mut bytes: &[u8]) {
        self.bytes += bytes.len();
        while !bytes.is_empty() {
            let List { last, used, .. } = self.lists[list];
            let (now, later) = bytes.split_at(bytes.len().min(FULL - used as usize));
            if now.is_empty() {
                self.extend(list);
                continue;
            }
            self.chunks[last as usize * CHUNK_BYTES + used as usize..][..now.len()].copy_from_slice(now);
            self.lists[list].used += now.len() as u32;
            bytes = later;
        }
    }

    /// Appends the first `keep` bytes of a block of fixed size: a store or two, and no call, where the chunk has room.
    #[inline]
    pub(super) fn append_block<const N: usize>(&mut self, list: usize, block: &[u8; N], keep: usize) {
        let List { last, used, .. } = self.lists[list];
        if used as usize + N > FULL {
            return self.append(list, &block[..keep]);
        }
        self.chunks[last as usize * CHUNK_BYTES + used as usize..][..N].copy_from_slice(block);
        self.lists[list].used = used + keep as u32;
        self.bytes += keep;
    }

    /// Gives a list another chunk.
    fn extend(&mut self, list: usize) {
        let chunk = (self.chunks.len() / CHUNK_BYTES) as u32;
        self.chunks.resize(self.chunks.len() + CHUNK_BYTES, 0);
        let List { first, last, used } = &mut self.lists[list];
        if *first == EMPTY.first {
            *first = chunk;
        } else {
            self.chunks[*last as usize * CHUNK_BYTES + FULL..][..LINK_BYTES]
                .copy_from_slice(&chunk.to_le_bytes());
        }
        (*last, *used) = (chunk, 0);
    }

    /// Copies a list to the end of `bytes`.
    pub(super) fn copy(&self, list: usize, bytes: &mut Vec<u8>) {
        let List { mut first, last, used } = self.lists[list];
        if first == EMPTY.first {
            return;
        }
        while first != last {
            let (full, link) = self.chunks[first as usize * CHUNK_BYTES..][..CHUNK_BYTES].split_at(FULL);
            bytes.extend_from_slice(full);
            first = link.iter().rev().fold(0, |number, &byte| number << 8 | byte as u32);
        }
        bytes.extend_from_slice(&self.chunks[last as usize * CHUNK_BYTES..][..used as usize]);
    }

    pub(super) fn clear(&mut self) {
        self.chunks.clear();
        self.lists.fill(EMPTY);
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_keep_what_is_appended(appended in proptest::collection::vec((0usize..4, 0usize..400, any::<u8>()), 0..60)) {
            let mut lists = Lists::new(4);
            for _ in 0..2 {
                let mut expected = vec![Vec::new(); 4];
                for &(list, length, first) in &appended {
                    let bytes: Vec<u8> = (0..length).map(|at| first.wrapping_add(at as u8)).collect();
                    // Short ones as blocks.
                    let mut block = [0; 9];
                    if length <= block.len() {
                        block[..length].copy_from_slice(&bytes);
                        lists.append_block(list, &block, length);
                    } else {
                        lists.append(list, &bytes);
                    }
                    expected[list].extend(bytes);
                }
                prop_assert_eq!(lists.bytes(), expected.iter().map(Vec::len).sum::<usize>());
                for (list, expected) in expected.iter().enumerate() {
                    let mut copy = vec![7];
                    lists.copy(list, &mut copy);
                    prop_assert_eq!(&copy[1..], expected);
                }
                lists.clear();
            }
        }
    }
}
