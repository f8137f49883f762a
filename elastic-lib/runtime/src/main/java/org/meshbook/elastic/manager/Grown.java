package org.meshbook.elastic.manager;

import org.meshbook.elastic.mesh.Mesh;

/// Where a program goes on after it offered to grow.
///
/// @param mesh the wider mesh, or the old one
/// @param state the state there: moved, or as it was
/// @param grew whether anything changed
/// @param <T> the state
public record Grown<T>(Mesh mesh, T state, boolean grew) {}
