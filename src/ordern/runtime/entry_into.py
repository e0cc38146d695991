"""The part of the fast way in that fills an array given by the caller: writable, of the right shape, apart from
inputs.
"""

from __future__ import annotations

from .entry_layout import CONTIGUOUS_ALIGNED, COUNTS, DATA, DESCR, DIMS, FLAGS, ND, SHAPES, TYPE, WRITEABLE, field

__all__ = ["INTO"]

INTO = f"""into:
  %to_at = getelementptr ptr, ptr %args, i64 %inputs
  %to = load ptr, ptr %to_at
  %to_type_at = getelementptr i8, ptr %to, i64 {TYPE}
  %to_type = load ptr, ptr %to_type_at
  %to_is_array = icmp eq ptr %to_type, %array_type
  br i1 %to_is_array, label %into_look, label %slow
into_look:
  %to_d_at = getelementptr i8, ptr %to, i64 {DESCR}
  %to_d = load ptr, ptr %to_d_at
  %to_same = icmp eq ptr %to_d, %descr
  %to_f_at = getelementptr i8, ptr %to, i64 {FLAGS}
  %to_f = load i32, ptr %to_f_at
  %to_f1 = and i32 %to_f, {CONTIGUOUS_ALIGNED | WRITEABLE}
  %to_neat = icmp eq i32 %to_f1, {CONTIGUOUS_ALIGNED | WRITEABLE}
  %to_nd_at = getelementptr i8, ptr %to, i64 {ND}
  %to_nd = load i32, ptr %to_nd_at
  %to_nd1 = zext i32 %to_nd to i64
  %to_axes_at = getelementptr i64, ptr %r, i64 {SHAPES}
  %to_axes = load i64, ptr %to_axes_at
  %to_want = add i64 %to_axes, %extra
  %to_flat = icmp eq i64 %to_nd1, %to_want
  %to_ok0 = and i1 %to_same, %to_neat
  %to_ok1 = and i1 %to_ok0, %to_flat
  br i1 %to_ok1, label %into_shape, label %slow
into_shape:
  %to_dims_at = getelementptr i8, ptr %to, i64 {DIMS}
  %to_shape = load ptr, ptr %to_dims_at
  %to_rows_i = select i1 %sideways, i64 %to_axes, i64 0
  %to_rows_at = getelementptr i64, ptr %to_shape, i64 %to_rows_i
  %to_rows = load i64, ptr %to_rows_at
  %to_fits = icmp eq i64 %to_rows, %total
  %to_front = select i1 %sideways, i64 0, i64 %extra
  %to_one = icmp eq i64 %extra, 0
  %to_all = or i1 %to_fits, %to_one
  br i1 %to_all, label %into_each, label %slow
into_each:
  %z = phi i64 [ 0, %into_shape ], [ %z1, %into_same ]
  %to_size = phi i64 [ %total, %into_shape ], [ %to_size1, %into_same ]
  %z_all = icmp eq i64 %z, %to_axes
  br i1 %z_all, label %into_apart, label %into_extent
into_extent:
  %z1 = add i64 %z, 1
  %z_want_at = getelementptr i64, ptr %to_axes_at, i64 %z1
  %z_want = load i64, ptr %z_want_at
  %z_at = add i64 %z, %to_front
  %z_has_at = getelementptr i64, ptr %to_shape, i64 %z_at
  %z_has = load i64, ptr %z_has_at
  %z_fits = icmp eq i64 %z_has, %z_want
  br i1 %z_fits, label %into_same, label %slow
into_same:
  %to_size1 = mul i64 %to_size, %z_want
  br label %into_each
into_apart:
{field("itemsize", "i64")}
  %to_data_at = getelementptr i8, ptr %to, i64 {DATA}
  %to_data = load ptr, ptr %to_data_at
  %to_bytes = mul i64 %to_size, %itemsize
  %to_end = getelementptr i8, ptr %to_data, i64 %to_bytes
  store ptr %to_data, ptr %outs
  store ptr %to, ptr %objects
  %to_apart_at = getelementptr i64, ptr %strides, i64 %inputs
  store i64 %total, ptr %to_apart_at
  br label %apart_each
apart_each:
  %y = phi i64 [ 0, %into_apart ], [ %y1, %apart_one ]
  %y_all = icmp eq i64 %y, %inputs
  br i1 %y_all, label %into_go, label %apart_one
apart_one:
  %y1 = add i64 %y, 1
  %y_in_at = getelementptr ptr, ptr %ins, i64 %y
  %y_in = load ptr, ptr %y_in_at
  %y_stride_at = getelementptr i64, ptr %strides, i64 %y
  %y_stride = load i64, ptr %y_stride_at
  %y_before = mul i64 %y_stride, %total0
  %y_count_i = add i64 %y, {COUNTS}
  %y_count_at = getelementptr i64, ptr %r, i64 %y_count_i
  %y_count = load i64, ptr %y_count_at
  %y_upright = add i64 %y_before, %y_count
  %y_sideways = mul i64 %y_count, %total
  %y_size = select i1 %sideways, i64 %y_sideways, i64 %y_upright
  %y_bytes = mul i64 %y_size, %itemsize
  %y_end = getelementptr i8, ptr %y_in, i64 %y_bytes
  %y_begins = icmp ult ptr %y_in, %to_end
  %y_ends = icmp ult ptr %to_data, %y_end
  %y_meets = and i1 %y_begins, %y_ends
  br i1 %y_meets, label %slow, label %apart_each
into_go:
  call void %incref(ptr %to)
  br label %compute
"""
