/// Object stores by Apache OpenDAL, which is loaded from a folder of its own when the first bucket
/// is opened.
///
/// May import: the front room. Way: `s3://bucket/prefix` →
/// [org.meshbook.elastic.checkpoint.tier.bucket.Buckets] →
/// [org.meshbook.elastic.checkpoint.tier.bucket.OpendalBucket]. Threads: a bucket is thread-safe.
/// Stability: internal.
@NullMarked
package org.meshbook.elastic.checkpoint.tier.bucket;

import org.jspecify.annotations.NullMarked;
