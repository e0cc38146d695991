"""The machine code of the fast way in, as text."""

from __future__ import annotations

from .entry_into import INTO
from .entry_layout import (
    BYTES,
    CONTIGUOUS_ALIGNED,
    COUNTS,
    DATA,
    DESCR,
    DIMS,
    FLAGS,
    MOST_INPUTS,
    MOST_OUTPUTS,
    ND,
    SHAPES,
    SLOT,
    TUPLE,
    TYPE,
    field,
)

__all__ = ["TEXT"]

TEXT = f"""
define ptr @entry(ptr %self, ptr %args, i64 %nargs, ptr %names) nounwind {{
begin:
  %item = getelementptr i8, ptr %self, i64 {TUPLE}
  %holder = load ptr, ptr %item
  %where = getelementptr i8, ptr %holder, i64 {BYTES}
  %r = load ptr, ptr %where
  %item1 = getelementptr i8, ptr %self, i64 {TUPLE + 8}
  %fallback = load ptr, ptr %item1
  %ins = alloca [{MOST_INPUTS} x ptr]
  %strides = alloca [{MOST_INPUTS + MOST_OUTPUTS} x i64]
  %dims = alloca [5 x i64]
  %outs = alloca [{MOST_OUTPUTS} x ptr]
  %objects = alloca [{MOST_OUTPUTS} x ptr]
  %one_arg = alloca ptr
{field("descr")}
{field("array_type")}
{field("inputs", "i64")}
{field("vectorcall")}
{field("incref")}
{field("decref")}
{field("takes_out", "i64")}
{field("columns", "i64")}
  %sideways = icmp ne i64 %columns, 0
  %upright = icmp eq i64 %columns, 0
  %bare_call = icmp eq i64 %nargs, %inputs
  %one_more = add i64 %inputs, %takes_out
  %enough = icmp eq i64 %nargs, %one_more
  %given = xor i1 %bare_call, true
  %plain = icmp eq ptr %names, null
  %bare_or = or i1 %bare_call, %enough
  %go = and i1 %bare_or, %plain
  br i1 %go, label %each, label %slow
each:
  %k = phi i64 [ 0, %begin ], [ %k1, %next ]
  %rows = phi i64 [ -1, %begin ], [ %rows1, %next ]
  %done = icmp eq i64 %k, %inputs
  br i1 %done, label %call, label %kind
kind:
  %arg_at = getelementptr ptr, ptr %args, i64 %k
  %a = load ptr, ptr %arg_at
  %t_at = getelementptr i8, ptr %a, i64 {TYPE}
  %t = load ptr, ptr %t_at
  %is_array = icmp eq ptr %t, %array_type
  br i1 %is_array, label %look, label %slow
look:
  %d_at = getelementptr i8, ptr %a, i64 {DESCR}
  %d = load ptr, ptr %d_at
  %same = icmp eq ptr %d, %descr
  %f_at = getelementptr i8, ptr %a, i64 {FLAGS}
  %f = load i32, ptr %f_at
  %f1 = and i32 %f, {CONTIGUOUS_ALIGNED}
  %neat = icmp eq i32 %f1, {CONTIGUOUS_ALIGNED}
  %nd_at = getelementptr i8, ptr %a, i64 {ND}
  %nd = load i32, ptr %nd_at
  %nd1 = sub i32 %nd, 1
  %flat = icmp ult i32 %nd1, 2
  %ok0 = and i1 %same, %neat
  %ok1 = and i1 %ok0, %flat
  br i1 %ok1, label %sizes, label %slow
sizes:
  %dims_at = getelementptr i8, ptr %a, i64 {DIMS}
  %shape = load ptr, ptr %dims_at
  %last = zext i32 %nd1 to i64
  %n_at = getelementptr i64, ptr %shape, i64 %last
  %end = load i64, ptr %n_at
  %front = load i64, ptr %shape
  %n = select i1 %sideways, i64 %front, i64 %end
  %m = select i1 %sideways, i64 %end, i64 %front
  %two = icmp eq i32 %nd1, 1
  %want_i = add i64 %k, {COUNTS}
  %want_at = getelementptr i64, ptr %r, i64 %want_i
  %want = load i64, ptr %want_at
  %fits = icmp eq i64 %n, %want
  %each_row = select i1 %two, i64 %n, i64 0
  %stride = select i1 %sideways, i64 %m, i64 %each_row
  %axes_fit = or i1 %two, %upright
  %first = icmp eq i64 %rows, -1
  %agree = icmp eq i64 %rows, %m
  %ok2 = or i1 %first, %agree
  %one = xor i1 %two, true
  %ok3 = or i1 %ok2, %one
  %ok4 = and i1 %ok3, %fits
  %ok6 = and i1 %ok4, %axes_fit
  br i1 %ok6, label %next, label %slow
next:
  %rows1 = select i1 %two, i64 %m, i64 %rows
  %data_at = getelementptr i8, ptr %a, i64 {DATA}
  %data = load ptr, ptr %data_at
  %in_at = getelementptr ptr, ptr %ins, i64 %k
  store ptr %data, ptr %in_at
  %stride_at = getelementptr i64, ptr %strides, i64 %k
  store i64 %stride, ptr %stride_at
  %k1 = add i64 %k, 1
  br label %each
call:
  %batched = icmp ne i64 %rows, -1
  %extra = zext i1 %batched to i64
  %fn_at = getelementptr i64, ptr %r, i64 %extra
  %fn = load ptr, ptr %fn_at
  %space_i = add i64 %extra, {SLOT["single_space"]}
  %space_at = getelementptr i64, ptr %r, i64 %space_i
  %space = load ptr, ptr %space_at
  %total = select i1 %batched, i64 %rows, i64 1
{field("most_rows", "i64")}
  %total0 = sub i64 %total, 1
  %small = icmp ult i64 %total0, %most_rows
  %known = icmp ne ptr %fn, null
  %ok5 = and i1 %small, %known
{field("least_rows", "i64")}
  %many = icmp uge i64 %total, %least_rows
  %ok7 = and i1 %ok5, %many
  br i1 %ok7, label %crowd, label %slow
crowd:
{field("helpers", "i64")}
{field("worth_rows", "i64")}
{field("pool")}
  %shares = udiv i64 %total, %worth_rows
  %fewer = icmp ult i64 %shares, %helpers
  %hands = select i1 %fewer, i64 %shares, i64 %helpers
  %started = load i64, ptr %pool
  %there = icmp uge i64 %started, %hands
  br i1 %there, label %make, label %slow
make:
{field("outputs", "i64")}
  br i1 %given, label %into, label %fresh
{INTO}fresh:
  store i64 %total, ptr %dims
{field("small_rows", "i64")}
  %few = icmp ule i64 %total, %small_rows
  br i1 %few, label %outs_each, label %lend
lend:
{field("allocate")}
{field("integer")}
{field("get")}
  %number = call ptr %integer(i64 %total)
  %short = icmp eq ptr %number, null
  br i1 %short, label %fail, label %lend1
lend1:
  store ptr %number, ptr %one_arg
  %lent = call ptr %vectorcall(ptr %allocate, ptr %one_arg, i64 1, ptr null)
  call void %decref(ptr %number)
  %refused = icmp eq ptr %lent, null
  br i1 %refused, label %fail, label %lent_each
lent_each:
  %e = phi i64 [ 0, %lend1 ], [ %e1, %lent_one ]
  %e_all = icmp eq i64 %e, %outputs
  br i1 %e_all, label %lent_all, label %lent_one
lent_one:
  %piece = call ptr %get(ptr %lent, i64 %e)
  call void %incref(ptr %piece)
  %piece_at = getelementptr ptr, ptr %objects, i64 %e
  store ptr %piece, ptr %piece_at
  %piece_data_at = getelementptr i8, ptr %piece, i64 {DATA}
  %piece_data = load ptr, ptr %piece_data_at
  %piece_out_at = getelementptr ptr, ptr %outs, i64 %e
  store ptr %piece_data, ptr %piece_out_at
  %piece_apart_i = add i64 %e, %inputs
  %piece_apart_at = getelementptr i64, ptr %strides, i64 %piece_apart_i
  store i64 %total, ptr %piece_apart_at
  %e1 = add i64 %e, 1
  br label %lent_each
lent_all:
  call void %decref(ptr %lent)
  br label %compute
outs_each:
  %o = phi i64 [ 0, %fresh ], [ %o1, %outs_next ]
  %o_all = icmp eq i64 %o, %outputs
  br i1 %o_all, label %compute, label %outs_one
outs_one:
  %shape_word = shl i64 %o, 2
  %shape_word1 = add i64 %shape_word, {SHAPES}
  %ndo_at = getelementptr i64, ptr %r, i64 %shape_word1
  %ndo = load i64, ptr %ndo_at
  %s0_at = getelementptr i64, ptr %ndo_at, i64 1
  %s01 = load <2 x i64>, ptr %s0_at, align 8
  %s2_at = getelementptr i64, ptr %ndo_at, i64 3
  %s2 = load i64, ptr %s2_at
  %e0_at = getelementptr i64, ptr %dims, i64 1
  store <2 x i64> %s01, ptr %e0_at, align 8
  %e2_at = getelementptr i64, ptr %dims, i64 3
  store i64 %s2, ptr %e2_at
  %tail = add i64 %ndo, 1
  %tail_at = getelementptr i64, ptr %dims, i64 %tail
  store i64 %total, ptr %tail_at
  %before = sub i64 1, %extra
  %onward = select i1 %sideways, i64 1, i64 %before
  %dims_from = getelementptr i64, ptr %dims, i64 %onward
  %ndo1 = add i64 %ndo, %extra
  %ndo2 = trunc i64 %ndo1 to i32
  call void %incref(ptr %descr)
{field("new")}
  %out = call ptr %new(ptr %array_type, ptr %descr, i32 %ndo2, ptr %dims_from, ptr null, ptr null, i32 0, ptr null)
  %failed = icmp eq ptr %out, null
  br i1 %failed, label %drop, label %outs_next
outs_next:
  %object_at = getelementptr ptr, ptr %objects, i64 %o
  store ptr %out, ptr %object_at
  %outdata_at = getelementptr i8, ptr %out, i64 {DATA}
  %outdata = load ptr, ptr %outdata_at
  %out_at = getelementptr ptr, ptr %outs, i64 %o
  store ptr %outdata, ptr %out_at
  %apart_i = add i64 %o, %inputs
  %apart_at = getelementptr i64, ptr %strides, i64 %apart_i
  store i64 %total, ptr %apart_at
  %o1 = add i64 %o, 1
  br label %outs_each
compute:
{field("held_rows", "i64")}
  %long = icmp ugt i64 %total, %held_rows
  br i1 %long, label %free, label %quick
quick:
  %q = call i32 %fn(ptr %ins, ptr %strides, ptr %outs, ptr %space, i64 0, i64 %total)
  br label %check
free:
{field("save")}
{field("restore")}
  %state = call ptr %save()
  %by_all = icmp ne i64 %hands, 0
  br i1 %by_all, label %shared, label %own
own:
  %l0 = call i32 %fn(ptr %ins, ptr %strides, ptr %outs, ptr %space, i64 0, i64 %total)
  br label %freed
shared:
{field("turn_rows", "i64")}
{field("lead")}
  %l1 = call i32 %lead(ptr %pool, ptr %fn, ptr %ins, ptr %strides, ptr %outs, ptr null, i64 0, i64 %total,
    i64 %turn_rows, i64 %hands)
  br label %freed
freed:
  %l = phi i32 [ %l0, %own ], [ %l1, %shared ]
  call void %restore(ptr %state)
  br label %check
check:
  %flag = phi i32 [ %q, %quick ], [ %l, %freed ]
  %bad = icmp ne i32 %flag, 0
  br i1 %bad, label %drop, label %finish
finish:
  %result0 = load ptr, ptr %objects
  %only = icmp eq i64 %outputs, 1
  br i1 %only, label %give, label %several
give:
  %axes_at = getelementptr i64, ptr %r, i64 {SHAPES}
  %axes = load i64, ptr %axes_at
  %axes1 = or i64 %axes, %extra
  %number_only = icmp eq i64 %axes1, 0
  br i1 %number_only, label %give_number, label %give_array
give_number:
{field("scalar")}
  %result1 = call ptr %scalar(ptr %result0)
  ret ptr %result1
give_array:
  ret ptr %result0
several:
{field("tuple")}
{field("put")}
{field("wrap")}
{field("named")}
{field("alloc")}
  %unnamed = icmp eq ptr %named, null
  br i1 %unnamed, label %pack_plain, label %pack_named
pack_plain:
  %pack0 = call ptr %tuple(i64 %outputs)
  br label %pack_made
pack_named:
  %pack1 = call ptr %alloc(ptr %named, i64 %outputs)
  br label %pack_made
pack_made:
  %pack = phi ptr [ %pack0, %pack_plain ], [ %pack1, %pack_named ]
  %no_pack = icmp eq ptr %pack, null
  br i1 %no_pack, label %drop, label %pack_each
pack_each:
  %i = phi i64 [ 0, %pack_made ], [ %i1, %pack_one ]
  %i_all = icmp eq i64 %i, %outputs
  br i1 %i_all, label %packed, label %pack_one
pack_one:
  %x_at = getelementptr ptr, ptr %objects, i64 %i
  %x = load ptr, ptr %x_at
  %put_it = call i32 %put(ptr %pack, i64 %i, ptr %x)
  %i1 = add i64 %i, 1
  br label %pack_each
packed:
  %bare = icmp eq ptr %wrap, null
  br i1 %bare, label %give_pack, label %wrap_it
give_pack:
  ret ptr %pack
wrap_it:
  store ptr %pack, ptr %one_arg
  %wrapped = call ptr %vectorcall(ptr %wrap, ptr %one_arg, i64 1, ptr null)
  call void %decref(ptr %pack)
  ret ptr %wrapped
drop:
  %why = phi i64 [ 0, %check ], [ 1, %outs_one ], [ 1, %pack_made ]
  %count_made = phi i64 [ %outputs, %check ], [ %o, %outs_one ], [ %outputs, %pack_made ]
  br label %drop_each
drop_each:
  %g = phi i64 [ 0, %drop ], [ %g1, %drop_one ]
  %g_all = icmp eq i64 %g, %count_made
  br i1 %g_all, label %dropped, label %drop_one
drop_one:
  %gone_at = getelementptr ptr, ptr %objects, i64 %g
  %gone = load ptr, ptr %gone_at
  call void %decref(ptr %gone)
  %g1 = add i64 %g, 1
  br label %drop_each
dropped:
  %hopeless = icmp ne i64 %why, 0
  br i1 %hopeless, label %fail, label %slow
slow:
  %result = call ptr %vectorcall(ptr %fallback, ptr %args, i64 %nargs, ptr %names)
  ret ptr %result
fail:
  ret ptr null
}}
"""
